"""The pages that the generator makes itself. Pure functions that return text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generate.pages import data, machines_and_builds, scenario

if TYPE_CHECKING:
    from generate.pages.templates import SiteContext


def pages(context: SiteContext) -> dict[str, str]:
    """Return every generated page by its path below docs/."""
    made = {f"scenarios/{name}.md": scenario.page(context, name) for name in context.site.scenarios}
    made["scenarios/index.md"] = scenario.index(context)
    return {**made, **machines_and_builds.pages(context), **data.pages(context)}
