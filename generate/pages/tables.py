"""The tables of results: their rows, their scale, and the words beside them. Pure; templates/case.html shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

from generate.charts.chart import in_order
from generate.charts.scale import IDEAL_SHOWN_TO, Scale
from generate.data.estimates import AS_FAST
from generate.words.numbers import NO_RANGE, SAME, describe, describe_range, format_ratio_with_range, format_value
from generate.words.units import kind_of_metric
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from markupsafe import Markup

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
    """True if no difference was seen, or none is decided."""

    @classmethod
    def in_words(cls, ratio: Estimate | None, kind: Kind) -> Self:
        """Write a ratio as sentences do: "1.4 times as fast", and its range."""
        if ratio is None:
            return cls()
        if not ratio.runs:  # the baseline itself
            return cls("the baseline", is_quiet=True)
        return cls(*_parts(describe(ratio, kind)), not ratio.differs)

    @classmethod
    def as_number(cls, ratio: Estimate, better: str) -> Self:
        """Write a ratio as a number that is above 1 if it is better, for tables of many columns."""
        if not ratio.runs:  # the reference build itself
            return cls("1", is_quiet=True)
        turned = ratio.inverse if better == "lower" and ratio.value > 0 else ratio
        return cls(*_parts(format_ratio_with_range(turned)), not ratio.differs)


def _parts(words: str) -> tuple[str, str]:
    """Split what is said from the range in brackets behind it."""
    text, _, aside = words.partition(" (")
    return text, aside.removesuffix(")")


class Head(NamedTuple):
    """The head of a column, as templates/_table.html takes it."""

    label: str
    """What a cell of the column is called where the table folds; empty if a cell needs no name."""
    kind: str = ""
    """The class of its cells: n for numbers, plot for bars."""
    html: Markup | str = ""
    """What the head shows if that is not its label."""
    attributes: Mapping[str, str] = {}
    """Further attributes of the head: data-high if the higher value is sorted first."""


class Row(NamedTuple):
    """One runner's row."""

    summary: Summary
    against: RatioCell
    """Against the baseline."""
    is_best: bool
    """True for the best, and for those that tie with it."""
    note: str
    """What the scenario says of this runner."""


class Table(NamedTuple):
    """One metric of one case on one machine and build."""

    metric: Metric
    rows: list[Row]
    """At least one, the best first."""
    scale: Scale
    """Of the bars."""
    baseline: str
    """What the ratios are against; empty if there is nothing to compare with."""
    check: str
    """What the rule makes of the baseline measured a second time; empty without a control."""
    has_ideal: bool

    @property
    def places(self) -> dict[float, int]:
        """The place of each value among them, the least first: a browser sorts by it, and it is shorter than they."""
        values = {row.summary.number for row in self.rows if row.summary.number is not None}
        return {value: place for place, value in enumerate(sorted(values))}

    @property
    def notes(self) -> Mapping[str, list[str]]:
        """The runners of each note."""
        found: dict[str, list[str]] = {}
        for row in self.rows:
            if row.note:
                found.setdefault(row.note, []).append(row.summary.runner)
        return found

    @property
    def has_ties(self) -> bool:
        """True if several rows are marked as the best."""
        return sum(row.is_best for row in self.rows) > 1


class CaseTables(NamedTuple):
    """What one case measured on one machine and build."""

    tables: Sequence[Table]
    """That of the scenario's first metric, then those that are folded."""
    constants: Sequence[tuple[str, str]]
    """Metrics that have one value throughout, which needs no table, with it."""


def tables(site: Results, cell: Result, scenario: str, case: str) -> CaseTables:
    """Return a table for each metric of *case* that has a direction and any value, the scenario's first always."""
    of_scenario = site.scenarios[scenario]
    of_cell = site.case_rows(cell, scenario, case)
    shown: list[Table] = []
    constants = []
    for metric in of_scenario.metrics:
        every = [row for row in of_cell if row.metric == metric.name]
        rows = in_order(row for row in every if row.role == "subject")
        measured = [row for row in rows if row.value is not None]
        if not rows or (metric is not of_scenario.metrics[0] and (not measured or metric.better == "neither")):
            continue
        if shown and (constant := _constant(measured)):
            constants.append((metric.title, constant))
            continue
        kind, best = kind_of_metric(metric), best_runners(cell, of_scenario, metric, measured)
        control = next((row.ratio for row in every if row.role == "control" and row.ratio), None)
        table = Table(
            metric=metric,
            rows=[
                Row(row, RatioCell.in_words(row.ratio, kind), row.runner in best, note_of(of_scenario, row))
                for row in rows
            ],
            scale=_scale(measured),
            baseline=_baseline_words(of_scenario, case) if any(row.is_compared for row in rows) else "",
            check=_check(control, kind) if control else "",
            has_ideal=any(row.efficiency is not None for row in rows),
        )
        shown.append(table)
    return CaseTables(shown, constants)


def _check(control: Estimate, kind: Kind) -> str:
    """Write how the baseline compares with itself: any difference is an error of ours."""
    if control.differs and not control.is_within(SAME):
        return f"{describe(control, kind)}, though it is the same code"
    return f"no difference seen ({describe_range(control, kind) if control.has_range else NO_RANGE})"


def _baseline_words(scenario: Scenario, case: str) -> str:
    of_case, runner = scenario.baseline_of(scenario.block_of(case))
    words = scenario.runners[runner].words
    return words if case == of_case else f"{words} in “{scenario.case_words(of_case)}”"


def best_runners(cell: Result, scenario: Scenario, metric: Metric, rows: Sequence[Summary]) -> set[str]:
    """Return the best of *rows*, the best first, and those that are as fast by their own pairs of rounds.

    None if the runners are no choices, and none of those that do something else than the others.
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
    """Return the one value that all rows have in all rounds, as it is written; empty if they have several."""
    ends = {end for row in measured if row.value for end in (row.value.low, row.value.value, row.value.high)}
    return format_value(measured[0].number, measured[0].unit) if len(ends) == 1 else ""


def note_of(scenario: Scenario, row: Summary) -> str:
    """Return what the scenario says of a runner: in that case, or in all; empty if it says nothing."""
    return scenario.notes.get(f"{row.runner}/{row.case}") or scenario.notes.get(row.runner, "")


def _scale(measured: Sequence[Summary]) -> Scale:
    """Choose the scale that shows the values, ranges and ideals of *measured*."""
    known = [row.value for row in measured if row.value]
    ends = [end for each in known if each.has_range for end in (each.high, each.low)]
    farthest = IDEAL_SHOWN_TO * max([*ends, *(each.value for each in known)], default=0.0)
    ends += [row.ideal for row in measured if row.ideal is not None and row.ideal <= farthest]
    return Scale.of([each.value for each in known], ends)
