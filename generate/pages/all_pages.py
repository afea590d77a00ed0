"""The pages that the generator makes itself. Pure functions that return text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generate.pages import data, machines_and_builds, scenario

if TYPE_CHECKING:
    from generate.pages.templates import Book


def pages(book: Book) -> dict[str, str]:
    """Return every generated page by its path below docs/."""
    made = {f"scenarios/{name}.md": scenario.page(book, name) for name in book.site.scenarios}
    made["scenarios/index.md"] = scenario.index(book)
    return {**made, **machines_and_builds.pages(book), **data.pages(book)}
