"""The short answer that a scenario's page begins with: what was found in its first case, and how each compares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generate.charts.chart import in_order
from generate.charts.findings import bare, capital
from generate.pages.templates import fragment
from generate.text.names import label, plain
from generate.text.numbers import format_another, say
from generate.text.statuses import status_words
from generate.text.units import kind_of_metric
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from markupsafe import Markup

    from generate.analysis.collection import CurrentResults
    from generate.analysis.selection import CellResult
    from generate.analysis.summary import Summary
    from runners.harness.catalogue.scenarios import Scenario


def answer(site: CurrentResults, name: str, found_in: Mapping[str, Sequence[str]]) -> Markup:
    """Return the short answer of a scenario: what was found in its overview case, and how each compares in words.

    If each case answers, what was found in every one. *found_in* has that by case, the sentence that answers first.
    """
    scenario, cell = site.scenarios[name], site.first(name)
    if cell is None:
        return fragment("answer.html", cell=None)
    case = overview_case(site, name)
    metric = scenario.metrics[0]
    kind = kind_of_metric(metric)

    def words(row: Summary) -> str:
        return scenario.runners[row.runner].words if row.runner in scenario.runners else label(row.runner)

    rows = site.rows_of(cell, name, case)
    of_metric = in_order([row for row in rows if row.metric == metric.name and row.role == "subject"])
    baseline_case, baseline = scenario.baseline_of(scenario.block_of(case))
    compared = [row for row in of_metric if row.is_compared]
    best = next((row for row in of_metric if row.value is not None and row.value.has_range), None)
    return fragment(
        "answer.html",
        cell=cell,
        case=scenario.case_words(case),
        found=[*_asked(cell, scenario, of_metric), *found_in[case]],
        by_case=[*_by_case(site, cell, scenario, found_in)] if scenario.each_case_answers else [],
        baseline=scenario.runners[baseline].words if compared else "",
        baseline_case=scenario.case_words(baseline_case) if baseline_case != case else "",
        compared=[(words(row), say(row.ratio, kind)) for row in compared],
        another=(words(best), format_another(best.value, best.unit)) if best and best.value else (),
        without=[(words(row), _why(row)) for row in of_metric if row.value is None],
    )


def _by_case(
    site: CurrentResults, cell: CellResult, scenario: Scenario, found_in: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, str]]:
    """Yield each case that *cell* has, by its name, with what was found in it."""
    for case, found in found_in.items():
        if found and site.first(scenario.name, case) is cell:
            yield scenario.case_words(case), found[0]


def _asked(cell: CellResult, scenario: Scenario, rows: Sequence[Summary]) -> Iterator[str]:
    """Yield how the pairs compare that the scenario names for its question."""
    metric, keys = (
        scenario.metrics[0],
        {row.runner: SeriesKey(row.scenario, row.case, row.runner, "subject") for row in rows},
    )
    for one, other in scenario.answers:
        if one in keys and other in keys and (ratio := cell.ratio(keys[one], keys[other], metric)):
            words, against = (bare(scenario.runners[runner].words) for runner in (one, other))
            yield f"{capital(words)} against {against}: {say(ratio, kind_of_metric(metric))}"


def overview_case(site: CurrentResults, name: str) -> str:
    """Return the first case in which more than the baseline has a value; if none has, the first with any.

    Of the current result; without one, the scenario's first case. The case that the scenario names comes first.
    """
    cell, scenario = site.first(name), site.scenarios[name]
    cases = sorted(scenario.cases, key=lambda case: case != scenario.overview)
    if cell is None:
        return cases[0]
    rows = {case: site.rows_of(cell, name, case) for case in cases}
    runners = {case: {row.runner for row in rows[case] if row.value is not None} for case in cases}
    enough = [case for case in cases if len(runners[case]) > 1]
    return (enough or [case for case in cases if runners[case]] or cases)[0]


def why_no_value(row: Summary | None) -> str:
    """Say why a series has no value, for a page; empty if it has one, or was not measured."""
    return plain(_why(row)) if row and row.value is None and row.status != "ok" else ""


def _why(row: Summary) -> str:
    words = status_words(row.status)
    return f"{words} ({row.reason})" if row.reason else words
