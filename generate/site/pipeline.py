"""Binds the pages together: what all of them share, and the list of all files that make them up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from generate.articles.render import render
from generate.charts.figures import draw
from generate.downloads.feed import feed
from generate.pages import data, machine_sections, machines_and_builds, scenario
from generate.pages.context import SiteContext
from generate.site.families_css import families_css
from generate.site.navigation import THEME, site_file

if TYPE_CHECKING:
    from generate.analysis.collection import CurrentResults
    from generate.claims.board import Board
    from generate.site.plotly_js import Bundle
    from generate.site.write import Content
    from generate.statistics.validation import Validation

ASSETS = Path(__file__).parents[1] / "assets"
"""The styles and scripts of the site, as they are on it."""
OVERRIDES = Path(__file__).parents[1] / THEME


def make_context(site: CurrentResults, board: Board, bundle: Bundle, validated: Validation) -> SiteContext:
    """Draw the charts of every case."""
    return SiteContext(site, board, draw(site, site.scenarios), bundle.path, validated)


def pages(context: SiteContext) -> dict[str, str]:
    """Return every generated page by its path below docs/."""
    made = {machine_sections.page_path(name): scenario.page(context, name) for name in context.site.scenarios}
    made["scenarios/index.md"] = scenario.index(context)
    return {**made, **machines_and_builds.pages(context), **data.pages(context)}


def everything(context: SiteContext, bundle: Bundle, docs: Path, site_url: str = "") -> dict[str, Content]:
    """Return every page, and what a page loads, by its path below the folder to write to."""
    made: dict[str, Content] = {**pages(context), **render(context, docs)}
    made |= {f"assets/{path.name}": path for path in sorted(ASSETS.iterdir())}
    made["assets/families.css"] = families_css()
    made[bundle.path] = bundle.data
    for chart in (chart for drawn in context.charts.values() for chart in drawn):
        made[chart.path] = json.dumps(chart.figure, separators=(",", ":"), ensure_ascii=False)
    made["feed.xml"] = feed(context.site.files, site_url)
    files: dict[str, Content] = {f"docs/{path}": content for path, content in made.items()}
    files |= {f"{THEME}/{path.name}": path for path in OVERRIDES.iterdir()}
    return {**files, "mkdocs.yml": site_file(made, site_url)}
