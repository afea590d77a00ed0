"""The short answer that a scenario's page begins with: what was found in its first case, and how each compares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generate.charts.chart import in_order
from generate.charts.findings import bare, capital
from generate.pages.provenance import measured_on
from generate.pages.templates import fragment, root_of
from generate.words.names import describe_status, label_runner, strip_markup
from generate.words.numbers import describe, format_another
from generate.words.units import kind_of_metric
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from markupsafe import Markup

    from generate.data.results import Results
    from generate.data.selection import Result
    from generate.data.table import Summary
    from runners.harness.catalogue.scenarios import Scenario


def answer(site: Results, name: str, cell: Result | None, found_in: Mapping[str, Sequence[str]], page: str) -> Markup:
    """Return the short answer of a scenario from *cell*: what was found in its overview case, and each in words.

    If each case answers, what was found in every one. *found_in* has the findings by case, the one that answers first.
    """
    if cell is None:
        return fragment("answer.html", cell=None)
    scenario = site.scenarios[name]
    case = overview_case(site, name, cell)
    metric = scenario.metrics[0]

    def words(runner: str) -> str:
        return scenario.runners[runner].words if runner in scenario.runners else label_runner(runner)

    baseline_case, baseline = scenario.baseline_of(scenario.block_of(case))
    rows = [row for row in site.case_rows(cell, name, case) if row.metric == metric.name and row.role == "subject"]
    others = [row for row in in_order(rows) if (case, row.runner) != (baseline_case, baseline)]
    compared = [(words(row.runner), describe(row.ratio, kind_of_metric(metric))) for row in others if row.ratio]
    first = next((row for row in in_order(rows) if row.value and row.value.has_range), None)
    return fragment(
        "answer.html",
        cell=cell,
        case=scenario.case_words(case),
        found=[*_asked(cell, scenario, rows), *found_in[case]],
        by_case=[*_by_case(site, cell, scenario, found_in)] if scenario.each_case_answers else [],
        baseline=words(baseline) if compared else "",
        baseline_case=scenario.case_words(baseline_case) if baseline_case != case else "",
        compared=compared,
        without=[(words(row.runner), _why(row)) for row in in_order(rows) if row.value is None],
        another=(words(first.runner), format_another(first.value, first.unit)) if first and first.value else None,
        foot=measured_on([cell], root_of(page)),
    )


def _by_case(
    site: Results, cell: Result, scenario: Scenario, found_in: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, str]]:
    """Yield the cases that *cell* has, each by its name with what was found in it."""
    for case, found in found_in.items():
        if found and site.case_rows(cell, scenario.name, case):
            yield scenario.case_words(case), found[0]


def _asked(cell: Result, scenario: Scenario, rows: Sequence[Summary]) -> Iterator[str]:
    """Compare the pairs that the scenario names for its question; those without a value are left out."""
    metric, by_runner = scenario.metrics[0], {row.runner: row for row in rows}
    for pair in scenario.answers:
        one, other = map(by_runner.get, pair)
        if one is None or other is None:
            continue
        key, against_key = (SeriesKey(row.scenario, row.case, row.runner, "subject") for row in (one, other))
        if ratio := cell.ratio(key, against_key, metric):
            words, against = (bare(scenario.runners[runner].words) for runner in pair)
            yield f"{capital(words)} against {against}: {describe(ratio, kind_of_metric(metric))}"


def overview_case(site: Results, name: str, cell: Result | None = None) -> str:
    """Return the first case in which more than the baseline has a value; else the first with any.

    It is of *cell*, or of the result that pages begin with. The case that the scenario names comes first.
    """
    cell, scenario = cell or site.first(name), site.scenarios[name]
    cases = sorted(scenario.cases, key=lambda case: case != scenario.overview)
    if cell is None:
        return cases[0]
    rows = {case: site.case_rows(cell, name, case) for case in cases}
    runners = {case: {row.runner for row in rows[case] if row.value is not None} for case in cases}
    enough = [case for case in cases if len(runners[case]) > 1]
    return (enough or [case for case in cases if runners[case]] or cases)[0]


def why_no_value(row: Summary | None) -> str:
    """Return why a series has no value, for a page; empty if it has one, or was not measured."""
    return strip_markup(_why(row)) if row and row.value is None and row.status != "ok" else ""


def _why(row: Summary) -> str:
    words = describe_status(row.status)
    return f"{words} ({row.reason})" if row.reason else words
