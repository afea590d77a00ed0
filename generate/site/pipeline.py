"""The whole way from result files to the site's sources, one stage after the other."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from generate.analysis import between_runs, history
from generate.analysis.collection import CurrentResults, twins
from generate.analysis.gated import apply_gate
from generate.analysis.rounds_of_runs import RunsBeside, rounds_of
from generate.analysis.selection import select_current
from generate.analysis.summaries import summarise
from generate.articles import render as hand_written
from generate.charts.figures import draw
from generate.claims.board import Board
from generate.claims.by_run import FurtherRun
from generate.claims.read import read
from generate.downloads.feed import feed
from generate.downloads.index import Sources, downloads
from generate.pages import (
    article_list,
    board,
    choices,
    choose,
    data,
    machines_and_builds,
    maps,
    scenario,
    scenario_pieces,
)
from generate.pages.context import SiteContext
from generate.results import validation
from generate.results.reference import has_twin, references
from generate.site.assets import assets
from generate.site.blame import files_to_blame
from generate.site.families_css import families_css
from generate.site.navigation import THEME, site_file
from generate.site.pauses import with_pauses
from generate.site.plotly_js import Bundle
from runners.harness.catalogue.scenarios import find
from runners.harness.errors import UserError
from runners.harness.run.session import Revision

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from generate.analysis.between_runs import Place, RunsOfCell, SeveralRuns
    from generate.analysis.gated import GatedRecord
    from generate.analysis.rounds_of_runs import RoundsOfFile
    from generate.results.cache import Cache
    from generate.results.model import FileHeader, Listing, Problem
    from generate.site.write import Content
    from runners.harness.catalogue.scenarios import Scenario

OVERRIDES = Path(__file__).parents[1] / THEME

NO_CHARTS = Bundle("none.js", b"", "none: nothing is shown")


@dataclass(frozen=True)
class Options:
    """What a site is made with."""

    cache: Path
    """Folder below which is kept what was found out about result files."""
    bundle: Bundle
    site_url: str = ""
    """Where the site will stand, ending with a slash; empty where that is not known."""
    downloads: bool = True
    """Whether to make what can be downloaded, and what pages fetch."""
    revision: Revision = field(default_factory=Revision)
    """Of the code that makes it."""
    repository: str = ""
    """From where the project is cloned; empty where that is not known."""
    catalogue: Mapping[str, Scenario] | None = None
    """Scenarios to read the results by; those of runners/ where None."""


@dataclass(frozen=True)
class Site:
    """What one generation made."""

    files: Mapping[str, Content]
    """Every file by its path below the folder to write to."""
    results: CurrentResults
    board: Board
    warning: str = ""
    """What was wrong with the cache, in one line."""


@dataclass(frozen=True)
class Inputs:
    """What the stages are given."""

    results: Path
    docs: Path
    options: Options
    scenarios: Mapping[str, Scenario]
    cache: Cache
    listing: Listing
    """All that the site is of."""
    current: Sequence[FileHeader] = ()
    """The files that pages are made from; this and what follows is found by `with_listing`."""
    references: Sequence[FileHeader] = ()
    """Those among which the reference build's series are found."""
    runs: RunsOfCell = field(default_factory=dict)
    """Which full runs stand beside each other."""
    further: Sequence[FileHeader] = ()
    """Those of other full runs, which are judged beside the current ones."""
    spreads: Mapping[Place, SeveralRuns] = field(default_factory=dict)
    """What other full runs say of the series of the current files."""

    def with_listing(self, listing: Listing) -> Inputs:
        """Return what the stages are given where there are the files of *listing* and no others."""
        runs = between_runs.runs_of_cells(listing.files)
        alike = [file for beside in runs.values() for file in beside]
        medians = history.medians_of(self.results, self.cache, alike, self.scenarios)
        return replace(
            self,
            listing=listing,
            current=select_current(listing.files),
            references=listing.files,
            runs=runs,
            further=[file for file in between_runs.further(runs) if not file.is_variant],  # no claim is judged on one
            spreads=between_runs.spreads(runs, medians),
        )

    def make_of(self, files: Sequence[FileHeader]) -> Site:
        """Make the site as if there were no pages but of *files*; what stands beside them is found among all."""
        paths = {file.path for file in files}
        current, further = ([file for file in of if file.path in paths] for of in (self.current, self.further))
        return make(replace(self, listing=replace(self.listing, files=files), current=current, further=further))


def build(results: Path, docs: Path, options: Options) -> Site:
    """Make the site of the result files and the hand-written pages in two folders.

    A file that a stage breaks on, which is a mistake of this project, is left out as a problem that names it. Raises
    UserError for what a user can put right.
    """
    inputs, warning = inputs_of(results, docs, options)
    while True:
        try:
            return replace(make(inputs), warning=warning)
        except UserError:
            raise
        except Exception:
            problems = files_to_blame(inputs.listing.files, inputs.current, inputs.make_of)
            if not problems:
                raise
            inputs = inputs.with_listing(inputs.listing.without(problems))


def make(inputs: Inputs) -> Site:
    """Go through the stages."""
    context = make_context(inputs)
    files = _pages(context, inputs)
    if inputs.options.downloads:
        made = context.site, context.board, context.records, context.table
        sources = Sources(inputs.results, inputs.docs, inputs.options.site_url, inputs.options.revision)
        files |= downloads(*made, sources)
        files |= {f"docs/{path}": content for path, content in _fetched(context)}
    return Site(files, context.site, context.board)


def _fetched(context: SiteContext) -> Iterator[tuple[str, str]]:
    """Go through what pages fetch when it is wanted: the board's cards, the maps, and what follows a choice."""
    yield from board.fetched(context)
    yield from choose.fetched(context)
    for _, alone in choices.machines(context):
        yield from scenario_pieces.fetched(context, alone)


def make_context(inputs: Inputs) -> SiteContext:
    """Put the current files through the gate, judge the claims by them, sum them up, and draw the charts."""
    records, verdicts, without_gil, rounds = _judged(inputs)
    table = summarise(records, inputs.spreads)
    rows = [*table, *summarise(twins(records))]
    others = RunsBeside(inputs.runs, rounds, between_runs.having(inputs.runs, without_gil))
    site = CurrentResults.of(inputs.scenarios, inputs.listing, records, rows, others)
    validated, plotly = validation.read(inputs.docs), inputs.options.bundle.path
    charts, articles = draw(site, site.scenarios), article_list.read(inputs.docs)
    shared = charts, plotly, validated, records, table, articles, inputs.options.repository
    return SiteContext(site, verdicts, *shared)


def judge(results: Path, docs: Path, cache: Path) -> tuple[Board, Sequence[Problem], str]:
    """Return the verdicts on the claims in *docs*, which files could not be used, and what was wrong with the cache."""
    inputs, warning = inputs_of(results, docs, Options(cache, NO_CHARTS))
    return _judged(inputs)[1], inputs.listing.problems, warning


def inputs_of(results: Path, docs: Path, options: Options) -> tuple[Inputs, str]:
    """Return what the stages are given, and what was wrong with the cache."""
    scenarios = options.catalogue or find()
    cache = history.cache_of(options.cache, scenarios)
    listing = history.list_files(results, cache, scenarios, is_catalogue=options.catalogue is None)
    return Inputs(results, docs, options, scenarios, cache, listing).with_listing(listing), cache.warning


def _judged(inputs: Inputs) -> tuple[list[GatedRecord], Board, list[GatedRecord], dict[str, RoundsOfFile]]:
    """Return the current files and the board; and of runs beside others the files without the GIL, and all rounds."""
    records = apply_gate(history.decode(inputs.results, inputs.current, inputs.references), inputs.scenarios)
    without_gil = [gated for gated in records if gated.is_beside_gil]
    rounds: dict[str, RoundsOfFile] = {}

    beside_in = between_runs.scenarios_beside(inputs.runs)

    def passing() -> Iterator[FurtherRun]:
        """Give the further files one by one; those without the GIL stay: how they compare with it is asked later."""
        for gated in _further(inputs, records):
            if gated.is_beside_gil:
                without_gil.append(gated)
            rounds[gated.file.path] = rounds_of(gated)
            yield FurtherRun(gated, beside_in[gated.file.path])

    beside = _references_elsewhere(inputs)
    board = Board.of(read(inputs.docs), inputs.scenarios, records, passing(), beside)
    return records, board, without_gil, rounds


def _references_elsewhere(inputs: Inputs) -> dict[str, GatedRecord]:
    """Return the reference build's file of the run of each current file that is of another processor than most."""
    elsewhere = [file for file in inputs.current if not file.is_usual_processor and not file.is_variant]
    holders = references(elsewhere, inputs.references)
    wanted = [*{holder.path: holder for holder in holders.values()}.values()]
    decoded = apply_gate(history.decode(inputs.results, wanted, inputs.references), inputs.scenarios)
    by_path = {gated.file.path: gated for gated in decoded}
    return {path: by_path[holder.path] for path, holder in holders.items()}


def _further(inputs: Inputs, records: Sequence[GatedRecord]) -> Iterator[GatedRecord]:
    """Go through the other full runs' files; each that is not current is decoded when its turn comes, then let go."""
    decoded = {gated.file.path: gated for gated in records}
    of_run: dict[str, list[FileHeader]] = defaultdict(list)
    for file in inputs.references:
        of_run[file.run.id].append(file)
    for file in inputs.further:
        if file.path in decoded:
            yield decoded[file.path]
        else:
            beside = of_run[file.run.id] if has_twin(file) else []  # of another run no twin is
            yield from apply_gate(history.decode(inputs.results, [file], beside), inputs.scenarios)


def _pages(context: SiteContext, inputs: Inputs) -> dict[str, Content]:
    """Return every page, and what a page loads, by its path below the folder to write to."""
    bundle, site_url = inputs.options.bundle, inputs.options.site_url
    served: dict[str, Content] = {
        **{scenario_pieces.page_path(name): scenario.page(context, name) for name in context.site.scenarios},
        "scenarios/index.md": scenario.index(context),
        **dict(scenario_pieces.folds(context)),
        **machines_and_builds.pages(context),
        **maps.pages(context),
        **data.pages(context),
        **hand_written.render(context, inputs.docs),
    }
    loaded = assets()
    of_all = families_css(), loaded["site.css"], loaded.pop("tables.css")
    loaded["site.css"] = "".join(of_all)  # one file: what nearly every page needs is asked for once
    served |= {f"assets/{name}": text for name, text in loaded.items()}
    served[bundle.path] = bundle.data
    for chart in (chart for drawn in context.charts.values() for chart in drawn):
        served[chart.path] = json.dumps(chart.figure, separators=(",", ":"), ensure_ascii=False)
    served["feed.xml"] = feed(context.site.files, context.site.current_paths, site_url)
    files: dict[str, Content] = {
        f"docs/{path}": with_pauses(content) if isinstance(content, str) and path.endswith(".md") else content
        for path, content in served.items()
    }
    files |= {f"{THEME}/{path.name}": path for path in OVERRIDES.iterdir()}
    return {**files, "mkdocs.yml": site_file(served, site_url)}
