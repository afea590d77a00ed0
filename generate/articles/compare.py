"""The form of the page that compares two cells. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generate.claims.sentences import build_words
from generate.downloads.browser_values import leading_cells
from generate.pages.templates import fragment, root_of
from generate.text.hosted_machines import ownership_note
from generate.text.names import plain

if TYPE_CHECKING:
    from markupsafe import Markup

    from generate.pages.context import SiteContext


def form(context: SiteContext, page: str) -> Markup:
    """Return the form that chooses two cells, and the place for what comes of it."""
    cells = sorted(
        leading_cells(context.site).values(), key=lambda cell: (not cell.file.local, cell.machine, cell.order)
    )
    options = [
        (
            cell.address,
            f"{build_words(cell.build)}, {plain(cell.machine)}{ownership_note(cell.machine, cell.file.local)}",
        )
        for cell in cells
    ]
    return fragment("compare.html", options=options, scenarios=[*context.site.scenarios], root=root_of(page))
