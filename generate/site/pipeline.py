"""From result files to the site's sources, one stage after another."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from generate.charts.kinds import draw
from generate.claims.board import Board, judge_claims
from generate.claims.read import read as read_claims
from generate.data import cells_file, own_results
from generate.data.between_runs import read as read_between_runs
from generate.data.files import Problem
from generate.data.gate import check, link
from generate.data.read import load_facts, load_needed
from generate.data.results import Results, needed_paths
from generate.downloads import validation
from generate.downloads.feed import feed
from generate.downloads.index import Origin, downloads
from generate.pages import (
    articles,
    choose,
    data,
    hand_written,
    home_file,
    machines_and_builds,
    maps,
    own,
    scenario,
)
from generate.pages.pieces import SiteContext
from generate.pages.templates import page_path
from generate.site import licences
from generate.site.families_css import families_css
from generate.site.last_net import make_without_culprits
from generate.site.navigation import THEME, site_file
from generate.site.plotly_js import Bundle
from generate.site.previews import claim_pages, draw_previews, head, read_previews
from generate.site.redirects import redirects
from generate.site.write import SITE_FILE, Content, Rendered
from generate.words.machines import name_machines
from runners.harness.catalogue.scenarios import Scenario, find

ASSETS, OVERRIDES = (Path(__file__).parents[1] / name for name in ("assets", THEME))


@dataclass(frozen=True)
class Options:
    """Options of a site, besides results and hand-written pages."""

    bundle: Bundle
    origin: Origin = field(default_factory=Origin)
    downloads: bool = True
    catalogue: Mapping[str, Scenario] | None = None
    """Scenarios to read the results by; None for those of runners/."""


@dataclass(frozen=True)
class Site:
    """All files of a site by their path below the output folder, and what they were made from."""

    files: Mapping[str, Content]
    results: Results
    board: Board


def build(results: Path, docs: Path, options: Options) -> Site:
    """Make the site of the result files and hand-written pages in two folders. Raises UserError."""
    return make_without_culprits(partial(_build, results, docs, options), partial(_list_paths, results))


def _list_paths(results: Path) -> list[str]:
    return [file.path for file in load_facts(results)]


def _build(results: Path, docs: Path, options: Options, left_out: Sequence[Problem]) -> Site:
    context = make_context(results, docs, options, left_out)
    pages = render_pages(context, docs, options)
    files: dict[str, Content] = {**pages, **render_fetched(context), **add_previews(pages, context, options)}
    if options.downloads:
        files |= downloads(context.site, context.board, docs, options.origin)
    return Site(files, context.site, context.board)


def judge(results: Path, docs: Path) -> Site:
    """Return the verdicts on the claims in *docs*, without any page."""

    def judged(left_out: Sequence[Problem]) -> Site:
        site = read_results(results, docs, find(), left_out)
        return Site({}, site, judge_claims(read_claims(docs), site.scenarios, site))

    return make_without_culprits(judged, partial(_list_paths, results))


def make_context(results: Path, docs: Path, options: Options, left_out: Sequence[Problem] = ()) -> SiteContext:
    """Return the context of all pages. Raises UserError."""
    site = read_results(results, docs, options.catalogue or find(), left_out)
    return SiteContext(
        site,
        judge_claims(read_claims(docs), site.scenarios, site),
        draw(site, site.scenarios),
        options.bundle.path,
        validation.read(docs),
        articles.read(docs),
        home_file.read(docs),
        options.origin.repository,
    )


def read_results(
    results: Path, docs: Path, scenarios: Mapping[str, Scenario], left_out: Sequence[Problem] = ()
) -> Results:
    """Read the results, check those that are needed and pool their runs. Raises UserError."""
    checking = partial(check, scenarios=scenarios)
    loaded, records = load_needed(results, partial(needed_paths, scenarios), checking, left_out)
    (runs, faults), between = cells_file.read(results), read_between_runs(docs)
    tried, unusable = own_results.load(results, between)
    broken_cells = (Problem(path, "", reason, "remove the file") for path, reason in faults)
    problems = [*loaded.problems, *unusable, *broken_cells]
    problems.sort(key=lambda problem: (problem.path, problem.field))
    pooled = Results.pool(scenarios, loaded.files, link(records), between, name_machines(loaded.files))
    return replace(pooled, problems=problems, runs=runs, own=tried)


def render_pages(context: SiteContext, docs: Path, options: Options) -> dict[str, Rendered]:
    """Return every page, and the files that pages load, by path below the output folder."""
    pages: dict[str, Rendered] = {
        **{page_path(name): scenario.page(context, name) for name in context.site.scenarios},
        "scenarios/index.md": scenario.index(context),
        **machines_and_builds.pages(context),
        **maps.pages(context),
        **own.pages(context),
        **data.pages(context),
        **hand_written.render(context, docs),
    }
    pages |= redirects(context.site, pages)
    sheets = [path.read_text(encoding="utf-8") for path in sorted(ASSETS.glob("*.css"))]
    loaded: dict[str, Rendered] = {
        "assets/site.css": "".join([families_css(), *sheets]),
        **{f"assets/{path.name}": path for path in ASSETS.iterdir() if path.suffix != ".css"},
        **{chart.path: _as_json(chart.figure) for charts in context.charts.values() for chart in charts},
        options.bundle.path: options.bundle.data,
        licences.PATH: licences.licences(),
        "feed.xml": feed(context.site.files, options.origin.site_url),
    }
    files: dict[str, Rendered] = {f"docs/{path}": content for path, content in {**pages, **loaded}.items()}
    files |= {f"{THEME}/{path.name}": path for path in OVERRIDES.iterdir()}
    return {**files, SITE_FILE: site_file(pages, options.origin.site_url)}


def add_previews(pages: Mapping[str, Rendered], context: SiteContext, options: Options) -> dict[str, Rendered]:
    """Return what shared links show: the settings with each page's head, a page for each claim, and the pictures.

    `make dev` goes without. Pictures need the site's address.
    """
    address, texts = options.origin.site_url, {path.removeprefix("docs/"): page for path, page in pages.items()}
    previews = read_previews(texts, context)
    heads = {page: head(preview, address) for page, preview in previews.items() if page in texts}
    made: dict[str, Rendered] = {**claim_pages(previews, address)}
    made |= draw_previews(previews, str(texts["assets/site.css"])) if address else {}
    return {f"docs/{path}": content for path, content in made.items()} | {SITE_FILE: site_file(texts, address, heads)}


def render_fetched(context: SiteContext) -> dict[str, Rendered]:
    """Return what pages fetch on demand: the answers of Choose."""
    return {f"docs/{path}": content for path, content in choose.render_fetched(context)}


def _as_json(content: object) -> str:
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False)
