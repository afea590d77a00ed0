"""The short answer that a scenario's page begins with: what was found in its first case, and how each compares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generate.charts.chart import in_order
from generate.charts.findings import bare, capital, compared_rows
from generate.pages.tables import runs_words, shows_move
from generate.pages.templates import fragment
from generate.statistics.intervals import FEWEST_PAIRS
from generate.text.names import label, plain
from generate.text.numbers import NO_BREAK, NOT_MEASURED, format_interval, format_range, format_value, say, short
from generate.text.over_runs import beside_runs
from generate.text.statuses import status_words
from generate.text.units import kind_of_metric

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from markupsafe import Markup

    from generate.analysis.collection import CurrentResults
    from generate.analysis.selection import CellResult
    from generate.analysis.summary import Summary
    from runners.harness.catalogue.scenarios import Scenario


def answer(site: CurrentResults, name: str, found_in: Mapping[str, Sequence[str]]) -> Markup:
    """Return the short answer of a scenario, from its current cell: what was found in its overview case, and in words.

    Where each case answers, what was found in every one. *found_in* has that by case, the sentence that answers first.
    """
    scenario = site.scenarios[name]
    cell = site.first(name)
    if cell is None:
        return fragment("answer.html", cell=None, newer=None)
    case = overview_case(site, name)
    rows, metric = site.rows_of(cell, name, case), scenario.metrics[0]

    def words(runner: str) -> str:
        return scenario.runners[runner].words if runner in scenario.runners else label(runner)

    kind = kind_of_metric(metric)
    baseline_case, baseline = scenario.baseline_of(scenario.block_of(case))
    of_metric = [row for row in rows if row.metric == metric.name and row.role == "subject"]
    others = [row for row in in_order(of_metric) if (case, row.runner) != (baseline_case, baseline)]
    compared = [row for row in others if row.ratio is not None]
    decided = [row for row in compared if _is_decided(row)]

    def comparison(row: Summary) -> str:
        return say(row.against_baseline, kind, row.noise, row.ratios_of_runs)

    return fragment(
        "answer.html",
        cell=cell,
        scenario=name,
        newer=site.passed_over(cell, name),
        case=scenario.case_words(case),
        found=[*_asked(cell, scenario, of_metric), *found_in[case]],
        by_case=[*_by_case(site, cell, scenario, found_in)] if scenario.each_case_answers else [],
        baseline=words(baseline) if compared else "",
        baseline_case=scenario.case_words(baseline_case) if baseline_case != case else "",
        beyond=[(words(row.runner), comparison(row)) for row in decided if _is_said(row)],
        within=[words(row.runner) for row in decided if not _is_said(row)],
        undecided=[words(row.runner) for row in compared if not _is_decided(row)],
        pairs=max((row.ratio_pairs for row in compared), default=0),
        fewest=FEWEST_PAIRS,
        measured=len([row for row in of_metric if row.median is not None]),
        moved=[(words(row.runner), short(runs_words(row))) for row in of_metric if shows_move(row)],
        without=[(words(row.runner), _why(row)) for row in in_order(of_metric) if row.median is None],
    )


def _by_case(
    site: CurrentResults, cell: CellResult, scenario: Scenario, found_in: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, str]]:
    """Go through the cases that *cell* has, each by its name with what was found in it."""
    for case, found in found_in.items():
        if found and site.first(scenario.name, case) is cell:
            yield scenario.case_words(case), found[0]


def _asked(cell: CellResult, scenario: Scenario, rows: Sequence[Summary]) -> Iterator[str]:
    """Say how the pairs compare that the scenario names for its question; nothing of one that lacks a value."""
    metric, by_runner = scenario.metrics[0], {row.runner: row for row in rows}
    for pair in scenario.answers:
        one, other = map(by_runner.get, pair)
        if one is None or other is None:
            continue
        if compared := compared_rows(cell, metric, one, other):
            words, against = (bare(scenario.runners[runner].words) for runner in pair)
            yield f"{capital(words)} against {against}: {say(compared, kind_of_metric(metric), one.noise)}"


def _is_decided(row: Summary) -> bool:
    """Say whether a row's difference from the baseline, or that there is none, is decided."""
    compared = row.against_baseline
    return compared is not None and compared.decided and (row.differs or not compared.quick)


def _is_said(row: Summary) -> bool:
    """Say whether there is more to say of a row than that it does not differ: several runs may all lean one way."""
    return row.differs or bool(row.ratios_of_runs and row.ratios_of_runs.side)


def overview_case(site: CurrentResults, name: str) -> str:
    """Return the first case in which more than the baseline has a value; where none has, the first with any.

    Of the current cell; where there is none, the scenario's first case. The case that the scenario names comes first.
    """
    cell, scenario = site.first(name), site.scenarios[name]
    cases = sorted(scenario.cases, key=lambda case: case != scenario.overview)
    if cell is None:
        return cases[0]
    rows = {case: site.rows_of(cell, name, case) for case in cases}
    runners = {case: {row.runner for row in rows[case] if row.median is not None} for case in cases}
    enough = [case for case in cases if len(runners[case]) > 1]
    return (enough or [case for case in cases if runners[case]] or cases)[0]


def value_words(row: Summary | None) -> str:
    """Say a median with its range, or why there is none."""
    if row is None or row.median is None:
        return why_no_value(row) or NOT_MEASURED
    median = format_value(row.median, row.unit)

    def write(low: float, high: float) -> str:
        return format_interval(low, high, row.unit).removesuffix(per_second)

    per_second, runs = f"{NO_BREAK}per second", row.values_of_runs
    of_run = format_range(row.low, row.high, row.unit).removesuffix(per_second)
    bounds = beside_runs(of_run, runs, write, median.removesuffix(per_second))
    return f"{median} ({bounds})" if bounds else median


def why_no_value(row: Summary | None) -> str:
    """Say why a series has no value, for a page; empty where it has one, or was not measured."""
    return plain(_why(row)) if row and row.median is None and row.status != "ok" else ""


def _why(row: Summary) -> str:
    """Say why a series has no value, for a place after a colon."""
    words = status_words(row.status)
    return f"{words} ({row.reason})" if row.reason else words
