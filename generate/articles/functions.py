"""The functions that hand-written pages may call inside {{ ... }}. All of them read the data; none takes a number.

The current result is one's own where there is one, else the newest (analysis/selection.py says which). A name that does
not exist stops the generation and reports the file and line; one that exists and has no data reads "not measured".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from generate.articles.build_functions import BuildFunctions, metric_named, scenario_named
from generate.articles.claim_functions import ClaimFunctions
from generate.articles.library_functions import LibraryFunctions
from generate.articles.map_functions import MapFunctions
from generate.articles.page_functions import PageFunctions
from generate.charts.figures import find_kinds
from generate.pages import other_runs
from generate.pages.outcome import gain_words
from generate.pages.provenance import WHAT_A_RATIO_IS, measured_on, what_follows_a_range
from generate.pages.short_answer import value_words, why_no_value
from generate.pages.source_formats import extras
from generate.pages.templates import case_html, chart_html, code_block, hashes_of_other_code, not_drawn, root_of
from generate.text.builds import build_words
from generate.text.hosted_machines import ownership_note
from generate.text.machine_names import indefinite
from generate.text.names import is_free_threaded, plain
from generate.text.numbers import NOT_MEASURED, counted, say
from generate.text.repeat import first_run
from generate.text.units import kind_of_metric
from runners.harness.catalogue.scenarios import select
from runners.harness.errors import UserError
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from generate.analysis.selection import CellResult
    from generate.analysis.summary import Summary
    from generate.pages.context import SiteContext
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.contract import Metric


class NotComparableError(UserError):
    """A page compares what was not measured in one block."""


def functions(context: SiteContext, page: str) -> dict[str, Callable[..., object]]:
    """Return what *page*, a path below docs/, may call, by name: the public methods of these."""
    kinds = ResultFunctions, BuildFunctions, LibraryFunctions, ClaimFunctions, MapFunctions, PageFunctions
    parts = [of_kind(context, page) for of_kind in kinds]
    return {name: getattr(part, name) for part in parts for name in dir(part) if not name.startswith("_")}


class ResultFunctions:
    """The functions that speak of results, for one page."""

    def __init__(self, context: SiteContext, page: str) -> None:
        """Make them for *page*, a path below docs/."""
        self._context, self._page, self._site = context, page, context.site
        self._explained: set[str] = set()
        """What the page has said of how to read its numbers: each is said once."""

    def value(self, scenario: str, case: str, runner: str, metric: str | None = None, build: str | None = None) -> str:
        """Say "1.31 s (1.29 to 1.35 s)": a median of the current result (on *build*, where one is named).

        A range whose ends are written as the median is says nothing, and is left out.
        """
        self._scenario(scenario, case, runner)
        cell = self._cell(scenario, case, build)
        row = self._row(cell, scenario, case, runner, metric)
        return value_words(row) + (self._whose(cell, scenario) if row and row.median is not None else "")

    def times(  # noqa: PLR0913, PLR0917 - what a page may say, by name
        self,
        scenario: str,
        case: str,
        runner: str,
        baseline: str | None = None,
        metric: str | None = None,
        build: str | None = None,
    ) -> str:
        """Say how *runner* compares with *baseline*, paired by round: "2.6 times as fast (2.5 to 2.7)".

        The baseline is a runner of the same case, or "case/runner" of the same block; if not given, the block's own. It
        is of the current result, or on *build* where one is named.
        """
        of_scenario = self._scenario(scenario, case, runner)
        other_case, other = self._baseline(of_scenario, case, baseline)
        chosen = self._metric(scenario, metric)
        cell = self._cell(scenario, case, build)
        if cell is None:
            return NOT_MEASURED
        row = self._site.row(cell, scenario, case, runner, chosen.name)
        if why := why_no_value(row):
            return why
        keys = SeriesKey(scenario, case, runner, "subject"), SeriesKey(scenario, other_case, other, "subject")
        candidate, against = map(cell.gated.view.series.get, keys)
        compared = cell.gated.compared(candidate, against, chosen) if candidate and against else None
        noise = cell.gated.noise(candidate, chosen) if candidate else None
        is_of_block = (other_case, other) == of_scenario.baseline_of(of_scenario.block_of(case))
        runs = row.ratios_of_runs if row and is_of_block else None
        if compared and not is_of_block:
            runs = self._site.runs_beside.ratios(cell.cell, cell.gated, keys, chosen.name, compared)
        return say(compared, kind_of_metric(chosen), noise, runs) + self._whose(cell, scenario)

    def gains(self, scenario: str, case: str, runner: str) -> str:
        """Say whether *runner* gains over the baseline of its block: yes, no, none seen or not decided."""
        self._scenario(scenario, case, runner)
        cell = self._cell(scenario, case)
        row = self._row(cell, scenario, case, runner)
        if why := why_no_value(row):
            return why
        if row is None or row.against_baseline is None:
            return NOT_MEASURED
        words = gain_words(row.against_baseline, row.noise, self._metric(scenario, None), row.ratios_of_runs)
        return words + self._whose(cell, scenario)

    def table(self, scenario: str, case: str) -> Markup:
        """Return the tables of a case, as on the scenario's page."""
        self._scenario(scenario, case)
        return case_html(self._context, scenario, case, self._page)

    def chart(self, scenario: str, case: str, kind: str = "bars") -> Markup:
        """Return a chart of a case (*kind*: one of charts/kinds), or the words that there is nothing to draw yet."""
        of = self._scenario(scenario, case)
        select(find_kinds(), [kind], "kind of chart")
        found = [
            chart
            for (of_scenario, of_case), charts in self._context.charts.items()
            for chart in charts
            if of_scenario == scenario and chart.kind == kind and case in {of_case, *chart.cases}
        ]
        chosen = [chart for chart in found if self._site.build in {"", *(cell.build for cell in chart.cells)}]
        if not chosen:
            return not_drawn(first_run(of, [case]))
        return chart_html(self._context, chosen[0], scenario, self._page)

    def extras(self, scenario: str, case: str) -> Markup:
        """Return what a case has beyond tables and charts, in the shape that its source prints."""
        self._scenario(scenario, case)
        return Markup("\n\n").join(extras(self._site, scenario, case, is_open=True))

    def code(self, scenario: str, runner: str, highlight: str | None = None) -> Markup:
        """Return a runner's file, lines marked as in highlight="3 5-7"; say where it has changed since measured."""
        file = self._scenario(scenario, None, runner).runners[runner]
        changed = hashes_of_other_code(self._site.current[scenario], file)
        block = code_block(file, highlight)
        if not changed:
            return block
        return block + Markup('\n\n<p class="note caution">Changed since: the figures are of {}.</p>').format(changed)

    def link(self, scenario: str) -> Markup:
        """Return a link to a scenario's page."""
        title = self._scenario(scenario).title
        return Markup("[{}]({}scenarios/{}.md)").format(title, root_of(self._page), scenario)

    def measured_on(self, scenario: str | None = None, build: str | None = None) -> str:
        """Say which machine, build and run the current results are of, or those of *build*.

        What is to be known of the numbers of a *scenario* follows, where the page has not said it before.
        """
        of_any = (cell for cell in self._site.cells() if self._site.build in {"", cell.build})
        first = self._site.first(self._scenario(scenario).name) if scenario else next(of_any, None)
        cell = self._cell(scenario, None, build) if scenario and build else first
        if cell is None:
            return "This was not measured." if scenario else "Nothing was measured yet."
        notes = [what_follows_a_range(self._site, cell, scenario), WHAT_A_RATIO_IS] if scenario else []
        new = [note for note in notes if note and note not in self._explained]
        self._explained.update(new)
        return " ".join([measured_on(cell, scenario), *new])

    def cores(self, scenario: str, build: str | None = None) -> str:
        """Say on how many cores the current result of a scenario was measured, or that of *build*."""
        cell = self._cell(self._scenario(scenario).name, None, build or None)
        return counted(cell.record.machine.usable_cores, "core") if cell else "cores"

    def between_runs(self) -> str:
        """Say how far full runs of one build agree, by the scenarios' first metrics."""
        return other_runs.sentences(self._context)

    def noisy_runs(self) -> str:
        """Say how many full runs were measured in noisy hours."""
        return other_runs.noisy_runs(self._context)

    def first_measured(self, scenario: str, *cases: str) -> str:
        """Return the first of *cases* that the current result has; where it has none, the first that any has."""
        for case in cases:
            self._scenario(scenario, case)
        first = self._site.first(scenario)
        having = [case for case in cases if first and self._site.rows_of(first, scenario, case)]
        anywhere = [case for case in cases if self._site.first(scenario, case)]
        return (having or anywhere or list(cases))[0]

    def values_by_build(self, *measured: tuple[str, str, str, str], free_threaded: bool = False) -> Markup:
        """Return a list of the builds, or of those without the GIL, that have a value of some series, with these.

        Each is words to begin with, which may be empty, scenario, case and runner.
        """
        named = [(words, (scenario, case, runner)) for words, scenario, case, runner in measured]
        for _, series in named:
            self._scenario(*series)
        every = self._builds((scenario, case) for _, scenario, case, _ in measured)
        builds = [build for build in every if is_free_threaded(build) or not free_threaded]

        def values(build: str) -> list[tuple[str, str]]:
            cells = ((words, self._cell(*series[:2], build), series) for words, series in named)
            rows = (
                (words, self._row(cell, *series), self._other_processor(cell, series[0]))
                for words, cell, series in cells
            )
            return [
                (words, value_words(row) + (processor if row and row.median is not None else ""))
                for words, row, processor in rows
            ]

        def said(values: list[tuple[str, str]]) -> str:
            return "; ".join(f"{words}: {value}" if words else value for words, value in values)

        found = {build: values(build) for build in builds}
        asked = {build: of for build, of in found.items() if any(value != NOT_MEASURED for _, value in of)}
        rows = [Markup("<li>{}: {}</li>").format(build_words(build), said(of)) for build, of in asked.items()]
        return Markup("<ul>\n{}\n</ul>").format(Markup("\n").join(rows or [Markup("<li>none was measured</li>")]))

    def _row(
        self, cell: CellResult | None, scenario: str, case: str, runner: str, metric: str | None = None
    ) -> Summary | None:
        """Return the row of a series in *cell*; None where it was not measured."""
        chosen = self._metric(scenario, metric)
        return self._site.row(cell, scenario, case, runner, chosen.name) if cell else None

    def _builds(self, cases: Iterable[tuple[str, str]]) -> list[str]:
        """Return the builds of which a value of some case of a scenario may be said."""
        cells = [cell for of_case in cases for cell in self._site.beside_each_other(*of_case)]
        return list(dict.fromkeys(plain(cell.build) for cell in sorted(cells, key=lambda cell: cell.order)))

    def _scenario(self, scenario: str, case: str | None = None, *runners: str) -> Scenario:
        return scenario_named(self._site, scenario, case, *runners)

    def _metric(self, scenario: str, metric: str | None) -> Metric:
        return metric_named(self._site.scenarios[scenario], metric)

    def _baseline(self, scenario: Scenario, case: str, baseline: str | None) -> tuple[str, str]:
        block = scenario.block_of(case)
        if baseline is None:
            return scenario.baseline_of(block)
        other_case, _, runner = baseline.rpartition("/")
        self._scenario(scenario.name, other_case or case, runner)
        if scenario.block_of(other_case or case) != block:
            msg = f"{other_case!r} and {case!r} are not measured in one block, so they can't be paired by round"
            raise NotComparableError(msg)
        return other_case or case, runner

    def _cell(self, scenario: str, case: str | None, build: str | None = None) -> CellResult | None:
        if build is None:
            return self._site.first(scenario, case)
        beside = self._site.beside_each_other(scenario, case)
        return next((cell for cell in beside if cell.build == build), None)

    def _whose(self, cell: CellResult | None, scenario: str) -> str:
        """Say of which result a number is that is not of the current one."""
        first = self._site.first(scenario)
        if cell is None or first is None or cell.file is first.file:
            return ""
        machine = (
            "" if cell.host == first.host else f" on {indefinite(plain(cell.machine_name))}{ownership_note(*cell.host)}"
        )
        return f", on {build_words(cell.build)}{machine}{self._other_processor(cell, scenario)}"

    def _other_processor(self, cell: CellResult | None, scenario: str) -> str:
        """Name the processor of a result if it is not that of the current one: a hosted machine may get another."""
        first = self._site.first(scenario)
        if cell is None or first is None or cell.record.machine.cpu == first.record.machine.cpu:
            return ""
        return f" ({plain(cell.record.machine.cpu)})"
