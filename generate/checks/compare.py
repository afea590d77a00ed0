"""Compares two result files, series by series: the second's time, or rate, over the first's.

Two files of one run were measured turn by turn, so they are paired by round. Two files of different runs or machines
are compared through their common reference build alone: each series is first divided, round by round, by the reference
measured beside it. The ratio of those two ratios has the bounds [b.low / a.high, b.high / a.low]. If each of the two
intervals holds its truth with 96.1 %, both do with at least 92.3 % (96.1 + 96.1 - 100, whether or not they depend on
each other), and then so does the quotient's: that sum is the coverage told. The true coverage is higher, as both would
have to miss on the harmful side.

Beside the ratio stands whether the second file's own value lies inside the first's interval. That value has a noise of
its own, so of two measurements of one thing it lies outside more often than the interval's coverage says; the ratio
takes the noise of both into account.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from rich.console import Console

from generate.analysis.gated import as_undecided, decides
from generate.checks.pair import Side, both, measured_together, no_common_reference, to_reference
from generate.checks.placed import TWO_BUILDS, Placed, placed
from generate.results.load import load
from generate.results.reference import beside as with_reference
from generate.statistics.intervals import FEWEST_PAIRS, Comparison
from generate.statistics.intervals import compare as compare_by_round
from generate.text.numbers import format_share, say
from generate.text.units import kind_of
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.contract import Metric
    from runners.harness.record.model import Record, SeriesKey


@dataclass(frozen=True, slots=True)
class Row:
    """One series of the two files, in its scenario's first metric."""

    scenario: str
    """Scenario of the series."""
    case: str
    """Case of the series."""
    runner: str
    """Runner of the series."""
    metric: str
    """Name of the metric."""
    unit: str
    """Its unit."""
    better: str
    """lower, higher or neither."""
    comparison: Comparison | None
    """The second file over the first; null where they are not comparable."""
    through_reference: bool
    """Whether it was compared through the reference build."""
    why: str | None
    """Why it is not comparable, or not decided."""
    placed: Placed | str
    """Where the second file's value lies beside the first's interval, or why that can't be told."""

    @property
    def words(self) -> str:
        """The comparison in words."""
        return (
            say(self.comparison, kind_of(self.metric, self.unit, self.better)) if self.comparison else "not comparable"
        )


def read(path: Path) -> Record:
    """Read one result file, and the reference build's beside it. Raises UserError, which says what is wrong with it."""
    wanted = load(path)
    for problem in wanted.problems:
        msg = f"{problem.path}: {problem.field or 'file'}: {problem.message}; {problem.remedy}"
        raise UserError(msg)
    if len(wanted.files) != 1:
        msg = f"{path}: {len(wanted.files)} result files are there; name one"
        raise UserError(msg)
    beside = load(*(other for other in sorted(path.parent.glob("*.json")) if other != path))
    return with_reference([*wanted.files, *beside.files])[0].record


def compare(a: Record, b: Record, scenarios: Mapping[str, Scenario] | None = None) -> list[Row]:
    """Compare *b*, the candidate, with *a*, the baseline: one row a series that either has, in order of name.

    Without *scenarios* those of the catalogue are taken. A series that can't be compared has a row that says why.
    """
    known = catalogue.find() if scenarios is None else scenarios
    first, second = Side.of("first", a, known), Side.of("second", b, known)
    keys = {key for side in (first, second) for key in side.view.series if key.role == "subject"}
    together = measured_together(a, b)
    return [_row(first, second, key, together=together) for key in sorted(keys)]


def _row(a: Side, b: Side, key: SeriesKey, *, together: bool) -> Row:
    series = a.view.series.get(key) or b.view.series[key]
    metric = next(iter(a.view.metrics(series)))
    found, why = _compared(a, b, key, metric, together=together)
    if found is not None and not found.decided:
        why = f"not decided: {found.pairs} pairs"
        if found.pairs >= FEWEST_PAIRS:
            why += ", but of a quick run, or of a series that failed in some round"
    place = placed(a, b, key, metric)
    return Row(*key[:3], metric.name, metric.unit, metric.better, found, not together, why, place)


def _compared(
    a: Side, b: Side, key: SeriesKey, metric: Metric, *, together: bool
) -> tuple[Comparison | None, str | None]:
    found = both(a, b, key)
    if isinstance(found, str):
        return None, found
    ours, yours = found
    if together:
        compared = compare_by_round(b.view.by_round(yours, metric), a.view.by_round(ours, metric))
    elif why := no_common_reference(a.record, b.record):
        return None, why
    else:
        to_a, why_a = to_reference(a, ours, metric)
        to_b, why_b = to_reference(b, yours, metric)
        if to_a is None or to_b is None:
            return None, why_a or why_b
        compared = _quotient(to_b, to_a)
    compared = as_undecided(compared, decides_too=decides(a.record, ours) and decides(b.record, yours))
    return compared, None if compared else "no round has a ratio"


def _quotient(b: Comparison, a: Comparison) -> Comparison | None:
    """Divide two independent ratios. What the bounds cover is told at the top of this module."""
    if a.low <= 0:
        return None
    coverage = max(a.coverage + b.coverage - 1, 0.0)
    pairs = min(a.pairs, b.pairs)
    return Comparison(b.ratio / a.ratio, b.low / a.high, b.high / a.low, coverage, pairs, a.decided and b.decided)


def lines(rows: list[Row]) -> list[str]:
    """Lay the rows out for a terminal: a heading for each case, a line for each runner, and how many lie inside."""
    width = max((len(row.runner) for row in rows), default=0)
    told = []
    for (scenario, case, metric), of_case in groupby(rows, lambda row: (row.scenario, row.case, row.metric)):
        told.append(f"{scenario} / {case} ({metric})")
        told += [f"  {row.runner:{width}}  {row.words}{_remark(row)}{_place(row)}" for row in of_case]
    return [*told, _summary(rows)]


def _remark(row: Row) -> str:
    found = row.comparison
    if found is None or not found.decided:
        return f": {row.why}" if found is None else ""
    through = ", through the reference build" if row.through_reference else ""
    return f", {found.pairs} pairs, {format_share(found.coverage)}{through}"


def _place(row: Row) -> str:
    if isinstance(row.placed, str):
        is_told = row.comparison is None or row.placed == TWO_BUILDS  # as the reason of the line, or below all lines
        return "" if is_told else f"; not placed: {row.placed}"
    return f"; {row.placed.words}"


def _summary(rows: list[Row]) -> str:
    told = [row.placed.is_inside for row in rows if not isinstance(row.placed, str)]
    if any(row.placed == TWO_BUILDS for row in rows):
        return f"No value is placed in the other's interval: {TWO_BUILDS}."
    inside = sum(told)
    without = f"; {len(rows) - len(told)} can't be placed" if len(rows) > len(told) else ""
    return f"The second's value lies inside the first's interval in {inside} of {len(told)} series{without}."


def show(a: Record, b: Record) -> None:
    """Print how *b* compares with *a*, whole lines however narrow the terminal is."""
    told = lines(compare(a, b))
    Console().print("\n".join(told), soft_wrap=True, markup=False, highlight=False)
