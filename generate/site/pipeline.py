"""The whole way from result files to the site's sources, one stage after the other."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from generate.charts.figures import draw
from generate.claims.board import Board
from generate.claims.read import read as read_claims
from generate.data import validation
from generate.data.between_runs import read as read_between_runs
from generate.data.files import Listing, Problem
from generate.data.gate import check_records
from generate.data.read import load
from generate.data.results import Results
from generate.data.selection import select_pooled
from generate.downloads.feed import feed
from generate.downloads.index import Sources, downloads
from generate.pages import (
    article_list,
    board,
    choose,
    data,
    machines_and_builds,
    maps,
    scenario,
)
from generate.pages import render as hand_written
from generate.pages.context import SiteContext
from generate.pages.templates import page_path
from generate.site.families_css import families_css
from generate.site.navigation import THEME, site_file
from generate.site.redirects import redirects
from generate.words.machines import name_machines
from runners.harness.catalogue.scenarios import find
from runners.harness.record import cells_file
from runners.harness.run.session import Revision

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from generate.data.gate import CheckedRecord
    from generate.site.plotly_js import Bundle
    from generate.site.write import Content
    from runners.harness.catalogue.scenarios import Scenario

ASSETS = Path(__file__).parents[1] / "assets"
OVERRIDES = Path(__file__).parents[1] / THEME


@dataclass(frozen=True)
class Options:
    """What a site is made with."""

    bundle: Bundle
    site_url: str = ""
    """Where the site will stand, ending with a slash; empty if that is not known."""
    downloads: bool = True
    """True to make what can be downloaded, and what pages fetch."""
    revision: Revision = field(default_factory=Revision)
    """Of the code that makes it."""
    repository: str = ""
    """From where the project is cloned; empty if that is not known."""
    catalogue: Mapping[str, Scenario] | None = None
    """Scenarios to read the results by; None for those of runners/."""


@dataclass(frozen=True)
class Site:
    """What one generation made."""

    files: Mapping[str, Content]
    """Every file by its path below the folder to write to."""
    results: Results
    board: Board


def build(results: Path, docs: Path, options: Options) -> Site:
    """Make the site of the result files and the hand-written pages in two folders.

    Raises UserError for what a user can put right.
    """
    context = make_context(results, docs, options)
    site, board = context.site, context.board
    files = _pages(context, docs, options)
    if options.downloads:
        sources = Sources(results, docs, options.site_url, options.revision)
        files |= downloads(site, board, context.records, context.table, sources)
        files |= {f"docs/{path}": content for path, content in _fetched(context)}
    return Site(files, site, board)


def make_context(results: Path, docs: Path, options: Options) -> SiteContext:
    """Return what all pages are made from. Raises UserError."""
    site, records = pooled(results, docs, options.catalogue or find())
    return SiteContext(
        site,
        Board.of(read_claims(docs), site.scenarios, site),
        draw(site, site.scenarios),
        options.bundle.path,
        validation.read(docs),
        records,
        site.table,
        article_list.read(docs),
        options.repository,
    )


def judge(results: Path, docs: Path) -> Site:
    """Return the verdicts on the claims in *docs*, without any page."""
    site, _ = pooled(results, docs, find())
    return Site({}, site, Board.of(read_claims(docs), site.scenarios, site))


def pooled(results: Path, docs: Path, scenarios: Mapping[str, Scenario]) -> tuple[Results, Sequence[CheckedRecord]]:
    """Read all results, pass them through the gate and pool their runs. Raises UserError."""
    loaded, cells = load(results, select=select_pooled(scenarios)), cells_file.read(results)
    problems = [*loaded.problems, *(Problem(path, "", reason, "remove the file") for path, reason in cells.faults)]
    problems.sort(key=lambda problem: (problem.path, problem.field))
    records = check_records(loaded.files, scenarios)
    listing = Listing(loaded.headers, problems, cells.runs)
    names = name_machines(loaded.headers)
    return Results.of(scenarios, listing, records, read_between_runs(docs), names), records


def _fetched(context: SiteContext) -> Iterator[tuple[str, str]]:
    """Yield what pages fetch when it is wanted: the board's cards and the maps."""
    yield from board.fetched(context)
    yield from choose.fetched(context)


def _pages(context: SiteContext, docs: Path, options: Options) -> dict[str, Content]:
    """Return every page, and what a page loads, by its path below the folder to write to."""
    bundle, site_url = options.bundle, options.site_url
    served: dict[str, Content] = {
        **{page_path(name): scenario.page(context, name) for name in context.site.scenarios},
        "scenarios/index.md": scenario.index(context),
        **machines_and_builds.pages(context),
        **maps.pages(context),
        **data.pages(context),
        **hand_written.render(context, docs),
    }
    served |= redirects(context.site, served)
    sheets = [path.read_text(encoding="utf-8") for path in sorted(ASSETS.glob("*.css"))]
    served["assets/site.css"] = "".join([families_css(), *sheets])
    served |= {f"assets/{path.name}": path for path in ASSETS.iterdir() if path.suffix != ".css"}
    served[bundle.path] = bundle.data
    for chart in (chart for drawn in context.charts.values() for chart in drawn):
        served[chart.path] = json.dumps(chart.figure, separators=(",", ":"), ensure_ascii=False)
    served["feed.xml"] = feed(context.site.files, site_url)
    files: dict[str, Content] = {f"docs/{path}": content for path, content in served.items()}
    files |= {f"{THEME}/{path.name}": path for path in OVERRIDES.iterdir()}
    return {**files, "mkdocs.yml": site_file(served, site_url)}
