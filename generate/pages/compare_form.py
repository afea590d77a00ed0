"""The form of the page that compares two cells, and the comparison that it opens with. Pure."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from generate.downloads.browser_values import cell_values, current_cells
from generate.pages.compare_opening import opening
from generate.pages.templates import fragment, root_of
from generate.text.builds import build_words
from generate.text.hosted_machines import own_note
from generate.text.names import is_prerelease, plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from generate.analysis.selection import CellResult
    from generate.pages.context import SiteContext
    from runners.harness.record.model import Build


def form(context: SiteContext, page: str) -> Markup:
    """Return the form that chooses two cells, and the place for what comes of it."""
    site = context.site
    runs = current_cells(site)
    cells = sorted(
        (found[0] for found in runs.values()), key=lambda cell: (not cell.file.local, cell.machine, cell.order)
    )
    options = [
        {
            "key": cell.address,
            "words": _words(cell),
            "about": {"machine": plain(cell.machine), **_about(cell.record.build)},
            "local": cell.file.local,
        }
        for cell in cells
    ]
    own = _of_own_run(cells)
    keys = [cell.address for cell in own or _newest_two(cells)]
    finds_nearest = not own and any(cell.file.local for cell in cells)  # the form does, to a result of one's own
    shown = opening(*(cell_values(site, runs[key]) for key in keys)) if len(keys) > 1 and not finds_nearest else None
    facts = {"options": options, "chosen": keys, "scenarios": [*site.scenarios], "shown": shown}
    return fragment("compare.html", **facts, root=root_of(page))


def _words(cell: CellResult) -> str:
    """Name a cell as shortly as a box on a phone has room for: CPython is what most are, and others are named."""
    build = build_words(cell.build).removeprefix("CPython ")
    return f"{build}, {plain(cell.machine_name)}{own_note(cell.file.local)}"


def _about(build: Build) -> dict[str, object]:
    """Return by what the page finds the build that is nearest to a reader's own: assets/nearest.js weighs it."""
    names = ("implementation", "version", "free_threaded", "gil_at_start", "jit", "variant")
    return {name: getattr(build, name) for name in names}


def _of_own_run(cells: Sequence[CellResult]) -> Sequence[CellResult]:
    """Return two builds of the newest run of one's own that measured several: its reference build, and the last other.

    None where no run did. Of a run without its reference build the first stands in its place.
    """
    by_run: dict[tuple[str, str], list[CellResult]] = defaultdict(list)
    for cell in cells:
        if cell.file.local:
            by_run[cell.record.run.id, cell.machine].append(cell)
    several = [alike for alike in by_run.values() if len(alike) > 1]
    if not several:
        return []
    newest = max(several, key=lambda alike: alike[0].record.run.started)
    first = next((cell for cell in newest if cell.gated.is_reference), newest[0])
    return [first, [cell for cell in newest if cell is not first][-1]]


def _newest_two(cells: Sequence[CellResult]) -> Sequence[CellResult]:
    """Return the newest two releases with the GIL of the first machine, as plain builds.

    Where there is only one, the newest two with the GIL; without them the first two.
    """
    builds = [(cell, cell.record.build) for cell in cells if cell.host == cells[0].host]
    with_gil = [cell for cell, build in builds if not build.free_threaded and not build.variant]
    released = [cell for cell in with_gil if not is_prerelease(cell.build)]
    newest = (released if len(released) > 1 else with_gil)[-2:]
    return newest if len(newest) > 1 else cells[:2]
