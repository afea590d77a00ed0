"""The functions that hand-written pages may call inside {{ ... }}. All of them read the data; none takes a number.

They speak of the result that pages begin with (data/results.py). A name that does not exist stops the generation
and reports the file and line; one that exists and has no data reads "not measured".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from generate.charts.figures import find_kinds
from generate.pages.build_functions import BuildFunctions, metric_named, scenario_named
from generate.pages.claim_functions import ClaimFunctions
from generate.pages.library_functions import LibraryFunctions
from generate.pages.map_functions import MapFunctions
from generate.pages.page_functions import PageFunctions
from generate.pages.pieces import (
    case_html,
    change_html,
    chart_html,
    code_block,
    hashes_of_other_code,
    measured_on,
)
from generate.pages.scenario import why_no_value
from generate.pages.templates import not_drawn, root_of
from generate.words.builds import describe_build
from generate.words.machines import add_article, format_ownership
from generate.words.names import is_free_threaded, strip_markup
from generate.words.numbers import (
    NOT_MEASURED,
    count_noun,
    describe,
    describe_briefly,
    format_estimate,
    format_with_range,
    outcome,
)
from generate.words.repeat import format_first_run
from generate.words.units import kind_of_metric
from runners.harness.catalogue.scenarios import select
from runners.harness.errors import UserError
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from generate.data.estimates import Estimate
    from generate.data.selection import Result
    from generate.pages.context import SiteContext
    from generate.words.units import Kind
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.contract import Metric


class NotComparableError(UserError):
    """A page compares what was not measured in one block."""


def functions(context: SiteContext, page: str) -> dict[str, Callable[..., object]]:
    """Return what *page*, a path below docs/, may call, by name: the public methods of these."""
    kinds = ResultFunctions, BuildFunctions, LibraryFunctions, ClaimFunctions, MapFunctions, PageFunctions
    parts = [of_kind(context, page) for of_kind in kinds]
    return {name: getattr(part, name) for part in parts for name in dir(part) if not name.startswith("_")}


class Lookup(NamedTuple):
    """A series and metric that a page asks for."""

    cell: Result | None
    key: SeriesKey
    metric: Metric
    missing: str = ""
    """Why it has no value; empty if it has one, or was not measured."""
    origin: str = ""
    """Names the build and machine if they are not what the page is about: ", on CPython 3.13.15"."""


class ResultFunctions:
    """The functions that return results, for one page.

    `value` and `times` write a number with its range, `number` and `ratio` the number alone, for running text. With
    *gil* false they are about the same Python without the GIL.
    """

    def __init__(self, context: SiteContext, page: str) -> None:
        """Make them for *page*, a path below docs/."""
        self._context, self._page, self._site = context, page, context.site

    def value(self, scenario: str, case: str, runner: str, metric: str | None = None, *, gil: bool = True) -> str:
        """Write a value with its range: "1.3 s (1.2 to 1.5 s)"."""
        return self._value(self._look_up(scenario, case, runner, metric, gil=gil), format_with_range)

    def number(self, scenario: str, case: str, runner: str, metric: str | None = None, *, gil: bool = True) -> str:
        """Write a value alone: "1.3 s"."""
        return self._value(self._look_up(scenario, case, runner, metric, gil=gil), format_estimate)

    def times(  # noqa: PLR0913 - what a page may say, by name
        self,
        scenario: str,
        case: str,
        runner: str,
        baseline: str | None = None,
        metric: str | None = None,
        *,
        gil: bool = True,
    ) -> str:
        """Say how *runner* compares with *baseline*, with the range: "2.6 times as fast (2.5 to 2.7)".

        The baseline is a runner of the same case, or "case/runner" of the same block; if not given, the block's own.
        """
        lookup = self._look_up(scenario, case, runner, metric, gil=gil)
        return self._compared(lookup, baseline, describe)

    def ratio(  # noqa: PLR0913 - as of times
        self,
        scenario: str,
        case: str,
        runner: str,
        baseline: str | None = None,
        metric: str | None = None,
        *,
        gil: bool = True,
    ) -> str:
        """Say the same without the range: "2.6 times as fast", "no difference"."""
        lookup = self._look_up(scenario, case, runner, metric, gil=gil)
        return self._compared(lookup, baseline, describe_briefly)

    def help(self, scenario: str, case: str, runner: str, baseline: str | None = None, *, gil: bool = True) -> str:
        """Return the verb for a plural subject: whether it beats the baseline: "help", "do not help", "may help"."""
        lookup = self._look_up(scenario, case, runner, gil=gil)
        found = self._ratio(lookup, baseline)
        if found is None:
            return "were not measured"
        better = "less" if lookup.metric.better == "lower" else "more"
        return {better: "help", "undecided": "may help"}.get(outcome(found), "do not help")

    def on_newer(self, scenario: str, case: str, runner: str, baseline: str | None = None) -> str:
        """Name each newer final Python on which the ratio is another: " (on CPython 3.15.2 no difference)".

        Empty if there is none.
        """
        lookup = self._look_up(scenario, case, runner)
        here, kind, found = self._ratio(lookup, baseline), kind_of_metric(lookup.metric), []
        if here is None or here.scale != "log":
            return ""
        for cell in self._newer(lookup):
            there = self._ratio(lookup._replace(cell=cell), baseline)
            if there is not None and there.scale == "log" and outcome(there.over(here)) in {"less", "more"}:
                found.append(f"on {describe_build(cell.build)} {describe_briefly(there, kind)}")
        return f" ({'; '.join(found)})" if found else ""

    def table(self, scenario: str, case: str) -> Markup:
        """Return the tables of a case, as on the scenario's page."""
        scenario_named(self._site, scenario, case)
        return case_html(self._context, scenario, case, self._page)

    def chart(self, scenario: str, case: str, kind: str = "bars") -> Markup:
        """Return a chart of a case (*kind*: one of charts/kinds), or the words that there is nothing to draw yet."""
        of = scenario_named(self._site, scenario, case)
        select(find_kinds(), [kind], "kind of chart")
        for (of_scenario, of_case), charts in self._context.charts.items():
            for chart in charts:
                if of_scenario == scenario and chart.kind == kind and case in {of_case, *chart.cases}:
                    return chart_html(self._context, chart, scenario, self._page)
        return not_drawn(format_first_run(of, [case]))

    def change(self, scenario: str, case: str) -> Markup:
        """Return the table of a change, before and after."""
        scenario_named(self._site, scenario, case)
        return change_html(self._site, scenario, case, is_open=True)

    def code(self, scenario: str, runner: str, highlight: str | None = None) -> Markup:
        """Return a runner's file, lines marked as in highlight="3 5-7", with a note if it changed since measured."""
        file = scenario_named(self._site, scenario, None, runner).runners[runner]
        changed = hashes_of_other_code(self._site.current[scenario], file)
        block = code_block(file, highlight)
        if not changed:
            return block
        return block + Markup('\n\n<p class="note caution">Changed since: the figures are of {}.</p>').format(changed)

    def link(self, scenario: str) -> Markup:
        """Return a link to a scenario's page."""
        title = scenario_named(self._site, scenario).title
        return Markup("[{}]({}scenarios/{}.md)").format(title, root_of(self._page), scenario)

    def measured_on(self, *scenarios: str, free: bool = False) -> Markup:
        """Return the foot of an answer: the build, the machine and the runs, in one line, with the rest folded.

        With *free*, the same Python without the GIL too.
        """
        names = [scenario_named(self._site, scenario).name for scenario in scenarios]
        cells = [(name, cell) for name in names if (cell := self._site.first(name))]
        without = [self._site.without_gil(cell, name) for name, cell in cells] if free else []
        return measured_on([*(cell for _, cell in cells), *filter(None, without)], root_of(self._page))

    def cores(self, scenario: str) -> str:
        """Write how many cores a scenario was measured on."""
        cell = self._site.first(scenario_named(self._site, scenario).name)
        return count_noun(cell.record.machine.usable_cores, "core") if cell else "cores"

    def first_measured(self, scenario: str, *cases: str) -> str:
        """Return the first of *cases* that the current result has; if it has none, the first that any has."""
        for case in cases:
            scenario_named(self._site, scenario, case)
        first = self._site.first(scenario)
        having = [case for case in cases if first and self._site.case_rows(first, scenario, case)]
        anywhere = [case for case in cases if self._site.first(scenario, case)]
        return (having or anywhere or list(cases))[0]

    def values_by_build(self, *measured: tuple[str, str, str, str], free_threaded: bool = False) -> Markup:
        """Return a list of the builds that have a value of some series, or of those without the GIL.

        Each is words to begin with, which may be empty, scenario, case and runner.
        """
        named = [(words, self._look_up(*series)) for words, *series in measured]
        cells = [
            cell for _, lookup in named for cell in self._site.on_one_machine(lookup.key.scenario, lookup.key.case)
        ]
        every = {cell.build: cell for cell in sorted(cells, key=lambda cell: cell.order)}
        rows = []
        for build in (build for build in every if is_free_threaded(build) or not free_threaded):
            values = [(words, self._value(self._in_build(lookup, build), format_with_range)) for words, lookup in named]
            if any(value != NOT_MEASURED for _, value in values):
                written = "; ".join(f"{words}: {value}" if words else value for words, value in values)
                rows.append(Markup("<li>{}: {}</li>").format(describe_build(build), written))
        return Markup("<ul>\n{}\n</ul>").format(Markup("\n").join(rows or [Markup("<li>none was measured</li>")]))

    def _look_up(self, scenario: str, case: str, runner: str, metric: str | None = None, *, gil: bool = True) -> Lookup:
        chosen = metric_named(scenario_named(self._site, scenario, case, runner), metric)
        first = self._site.first(scenario)
        cell = self._site.first(scenario, case)
        origin = _origin(cell, first) if cell and first else ""
        if not gil:
            cell = self._site.without_gil(cell, scenario) if cell else None
        return self._of(cell, SeriesKey(scenario, case, runner, "subject"), chosen, origin)

    def _of(self, cell: Result | None, key: SeriesKey, metric: Metric, origin: str = "") -> Lookup:
        row = self._site.row(cell, key.scenario, key.case, key.runner, metric.name) if cell else None
        return Lookup(cell, key, metric, why_no_value(row), origin)

    def _in_build(self, lookup: Lookup, build: str) -> Lookup:
        """Return the same on another build of the same machine."""
        beside = self._site.on_one_machine(lookup.key.scenario, lookup.key.case)
        return self._of(next((cell for cell in beside if cell.build == build), None), lookup.key, lookup.metric)

    def _compared(self, lookup: Lookup, baseline: str | None, word: Callable[[Estimate | None, Kind], str]) -> str:
        """Word a ratio, or why it is missing."""
        found = self._ratio(lookup, baseline)
        return lookup.missing or word(found, kind_of_metric(lookup.metric)) + lookup.origin * (found is not None)

    @staticmethod
    def _value(lookup: Lookup, write: Callable[[Estimate | None, str], str]) -> str:
        found = lookup.cell.estimate(lookup.key, lookup.metric) if lookup.cell and not lookup.missing else None
        return lookup.missing or write(found, lookup.metric.unit) + lookup.origin * (found is not None)

    def _ratio(self, lookup: Lookup, baseline: str | None) -> Estimate | None:
        case, runner = self._baseline(self._site.scenarios[lookup.key.scenario], lookup.key.case, baseline)
        other = lookup.key._replace(case=case, runner=runner)
        return lookup.cell.ratio(lookup.key, other, lookup.metric) if lookup.cell else None

    def _baseline(self, scenario: Scenario, case: str, baseline: str | None) -> tuple[str, str]:
        block = scenario.block_of(case)
        if baseline is None:
            return scenario.baseline_of(block)
        other_case, _, runner = baseline.rpartition("/")
        scenario_named(self._site, scenario.name, other_case or case, runner)
        if scenario.block_of(other_case or case) != block:
            msg = f"{other_case!r} and {case!r} are not measured in one block, so they can't be paired by round"
            raise NotComparableError(msg)
        return other_case or case, runner

    def _newer(self, lookup: Lookup) -> Iterator[Result]:
        """Yield the plain final builds with the GIL that are newer than the one looked up."""
        if lookup.cell is None:
            return
        implementation, version, *_ = lookup.cell.order
        for cell in self._site.on_one_machine(lookup.key.scenario, lookup.key.case):
            build, (theirs, other, *_) = cell.record.build, cell.order
            is_plain = not (build.variant or build.free_threaded or other.is_prerelease)
            if is_plain and theirs == implementation and other > version:
                yield cell


def _origin(cell: Result, first: Result) -> str:
    if cell.key == first.key:
        return ""
    machine = "" if cell.machine_key == first.machine_key else f" on {add_article(strip_markup(cell.machine_name))}"
    owner = format_ownership(cell.machine, cell.key.local) if machine else ""
    return f", on {describe_build(cell.build)}{machine}{owner}"
