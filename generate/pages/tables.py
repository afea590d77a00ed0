"""A case's tables as typed rows. Pure; templates/case.html lays them out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

from generate.charts.chart import in_order
from generate.charts.scale import IDEAL_SHOWN_TO, Scale
from generate.data.estimates import AS_FAST
from generate.words import patterns
from generate.words.numbers import describe, format_ratio_with_range, format_value, outcome
from generate.words.units import kind_of_metric
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from generate.data.estimates import Estimate
    from generate.data.results import Results
    from generate.data.selection import Result
    from generate.data.table import Summary
    from generate.words.units import Kind
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.contract import Metric


class RatioCell(NamedTuple):
    """A ratio as a table shows it."""

    text: str = ""
    range: str = ""
    is_quiet: bool = False
    """True for no difference, or an undecided one."""

    @classmethod
    def in_words(cls, ratio: Estimate | None, kind: Kind) -> Self:
        """Format a ratio as sentences do: "1.4 times as fast", and its range."""
        if ratio is None:
            return cls()
        if not ratio.runs:  # the baseline itself
            return cls(patterns.THE_BASELINE, is_quiet=True)
        return cls(*split_range(describe(ratio, kind)), not ratio.differs)

    @classmethod
    def as_number(cls, ratio: Estimate, better: str) -> Self:
        """Format a ratio as a number above 1 if it is better, for tables of many columns."""
        if not ratio.runs:  # the reference build itself
            return cls("1", is_quiet=True)
        turned = ratio.inverse if better == "lower" and ratio.value > 0 else ratio
        return cls(*split_range(format_ratio_with_range(turned)), not ratio.differs)


def split_range(words: str) -> tuple[str, str]:
    """Split "1.4 times as fast (1.3 to 1.6)" into text and range."""
    text, _, aside = words.partition(" (")
    return text, aside.removesuffix(")")


class Row(NamedTuple):
    """One runner's row."""

    summary: Summary
    against: RatioCell
    """Against the baseline."""
    is_best: bool
    """True for the best, and for those that tie with it."""


class Table(NamedTuple):
    """One metric of one case on one machine and build."""

    metric: Metric
    rows: list[Row]
    """At least one, the best first."""
    scale: Scale
    """Of the bars."""
    baseline: str
    """The runner that ratios are to; empty without one."""
    check: str
    """How the baseline compares with its control; empty without a control."""
    has_ideal: bool
    notes: Mapping[str, Sequence[str]]
    """The scenario's notes, each with its runners."""

    @property
    def has_ties(self) -> bool:
        """True if several rows are marked as the best."""
        return sum(row.is_best for row in self.rows) > 1


class CaseTables(NamedTuple):
    """What one case measured on one machine and build."""

    tables: Sequence[Table]
    """The first is of the scenario's first metric; pages fold the others."""
    constants: Sequence[tuple[str, str]]
    """Metrics with one value throughout, and that value."""


def tables(site: Results, cell: Result, scenario: str, case: str, *, is_brief: bool = False) -> CaseTables:
    """Return a table for each metric that has a direction and any value, and always for the scenario's first.

    Only that one if *is_brief*.
    """
    known = site.scenarios[scenario]
    summaries = site.case_rows(cell, scenario, case)
    shown: list[Table] = []
    constants = []
    for metric in known.metrics[:1] if is_brief else known.metrics:
        rows = [row for row in summaries if row.metric == metric.name]
        subjects = in_order(row for row in rows if row.role == "subject")
        measured = [row for row in subjects if row.value is not None]
        is_first = metric is known.metrics[0]
        if not subjects or not (is_first or (measured and metric.better != "neither")):
            continue
        if shown and (constant := _constant(measured)):
            constants.append((metric.title, constant))
        else:
            control = next((row.ratio for row in rows if row.role == "control" and row.ratio), None)
            shown.append(_table(cell, known, metric, subjects, control))
    return CaseTables(shown, constants)


def _table(
    cell: Result, scenario: Scenario, metric: Metric, rows: Sequence[Summary], control: Estimate | None
) -> Table:
    kind, measured = kind_of_metric(metric), [row for row in rows if row.value is not None]
    best = best_runners(cell, scenario, metric, measured)
    notes: dict[str, list[str]] = {}
    for row in rows:
        if note := find_note(scenario, row):
            notes.setdefault(note, []).append(row.runner)
    return Table(
        metric,
        [Row(row, RatioCell.in_words(row.ratio, kind), row.runner in best) for row in rows],
        _scale(measured),
        _baseline_words(scenario, rows[0].case) if any(row.is_compared for row in rows) else "",
        _check(control, kind) if control else "",
        any(row.efficiency is not None for row in rows),
        notes,
    )


def _check(control: Estimate, kind: Kind) -> str:
    """Format how the baseline compares with itself: any difference is an error of ours."""
    ratio = describe(control, kind)
    return patterns.CONTROL_DIFFERS.format(ratio=ratio) if outcome(control) in {"less", "more"} else ratio


def _baseline_words(scenario: Scenario, case: str) -> str:
    base_case, runner = scenario.baseline_of(scenario.block_of(case))
    words = scenario.runners[runner].words
    if case == base_case:
        return words
    return patterns.BASELINE_OF_ANOTHER_CASE.format(runner=words, case=scenario.case_words(base_case))


def best_runners(cell: Result, scenario: Scenario, metric: Metric, rows: Sequence[Summary]) -> set[str]:
    """Return the best of *rows*, which are sorted, and those that are as fast by their own pairs of rounds.

    Empty if the runners are not alternatives; a runner that does something else than the others is never one.
    """
    choices = [row for row in rows if row.runner not in scenario.apart]
    if not scenario.are_choices or metric.better == "neither" or len(choices) < 2:  # noqa: PLR2004 - one is no choice
        return set()
    return {row.runner for row in choices[:1]} | {*_ties(cell, metric, choices)}


def _ties(cell: Result, metric: Metric, rows: Sequence[Summary]) -> Iterator[str]:
    best, *others = (SeriesKey(row.scenario, row.case, row.runner, "subject") for row in rows)
    for key in others:
        ratio = cell.ratio(key, best, metric)
        if ratio and ratio.is_within(AS_FAST):
            yield key.runner


def _constant(measured: Sequence[Summary]) -> str:
    """Return the one value that all rows have in all rounds, formatted; empty if they have several."""
    ends = {end for row in measured if row.value for end in (row.value.low, row.value.value, row.value.high)}
    return format_value(measured[0].number, measured[0].unit) if len(ends) == 1 else ""


def find_note(scenario: Scenario, row: Summary) -> str:
    """Return the scenario's note on a runner: in that case, or in all; empty without one."""
    return scenario.notes.get(f"{row.runner}/{row.case}") or scenario.notes.get(row.runner, "")


def _scale(measured: Sequence[Summary]) -> Scale:
    """Choose the scale that shows the values, ranges and ideals of *measured*."""
    known = [row.value for row in measured if row.value]
    ends = [end for each in known if each.has_range for end in (each.high, each.low)]
    farthest = IDEAL_SHOWN_TO * max([*ends, *(each.value for each in known)], default=0.0)
    ends += [row.ideal for row in measured if row.ideal is not None and row.ideal <= farthest]
    return Scale.of([each.value for each in known], ends)


class ChangeRow(NamedTuple):
    """Two runners that are one change, before and after."""

    before: Summary
    after: Summary
    compared: RatioCell
    """After over before, by their own pairs."""


def changes(site: Results, cell: Result, scenario: str, case: str) -> list[ChangeRow]:
    """Return the pairs of runners whose names differ only in the word before or after."""
    metric = site.scenarios[scenario].metrics[0]
    rows = {
        row.runner: row
        for row in site.case_rows(cell, scenario, case)
        if (row.metric, row.role) == (metric.name, "subject")
    }
    pairs = [(row, rows.get(name.replace("before", "after"))) for name, row in sorted(rows.items())]
    return [
        ChangeRow(before, after, RatioCell.in_words(_ratio(cell, after, before, metric), kind_of_metric(metric)))
        for before, after in pairs
        if after and "before" in before.runner.split("_")
    ]


def _ratio(cell: Result, row: Summary, other: Summary, metric: Metric) -> Estimate | None:
    key, other_key = (SeriesKey(each.scenario, each.case, each.runner, "subject") for each in (row, other))
    return cell.ratio(key, other_key, metric)
