"""Compares two result files, series by series: the second's time, or rate, over the first's.

Two files of one run were measured turn by turn, so they are paired by round. Two files of different runs or machines
are compared through their common reference build alone: each series is first divided, round by round, by the reference
measured beside it. The ratio of those two ratios has the bounds [b.low / a.high, b.high / a.low]. If each of the two
intervals holds its truth with 96.1 %, both do with at least 92.3 % (96.1 + 96.1 - 100, whether or not they depend on
each other), and then so does the quotient's: that sum is the printed coverage. The true coverage is higher, as both
would have to miss on the harmful side.

What lies inside the noise of the two, as their controls show it, is said to be no more than noise; where the noise of
one is not known, that is said.

Beside the ratio stands whether the second file's own value lies inside the first's interval. That value has a noise of
its own, so of two measurements of one thing it lies outside more often than the interval's coverage says; the ratio
takes the noise of both into account.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from statistics import median
from typing import TYPE_CHECKING

import click
from rich.console import Console

from generate.analysis.gated import as_undecided
from generate.analysis.same_build import identity
from generate.checks.drawn import fitted
from generate.checks.pair import (
    WOULD_CANCEL,
    Side,
    both,
    changed_packages,
    decides,
    host,
    measured_together,
    no_common_reference,
    noise_of_both,
    other_packages,
    to_reference,
)
from generate.checks.plainly import Change, closing
from generate.results.load import load
from generate.results.options import FOLDER
from generate.results.reference import beside as with_reference
from generate.statistics.intervals import Comparison, median_interval
from generate.statistics.intervals import compare as compare_by_round
from generate.text.log_lines import ending_on_errors
from generate.text.numbers import (
    counted,
    format_bound,
    format_interval,
    format_ratio_interval,
    format_share,
    format_value,
    say,
)
from generate.text.units import kind_of_metric
from runners.harness import commands
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.errors import UserError
from runners.harness.record.build_names import build_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.contract import Metric
    from runners.harness.record.model import Record, Series, SeriesKey

TWO_BUILDS = "they are of two builds"
REMEDY = (
    "Measure both in one run, for example:",
    f"  {commands.module('runners', 'run', '--python', '3.13', '--python', '3.13+WHEEL')}",
)


@dataclass(frozen=True, slots=True)
class Placement:
    """The second file's value beside the first's interval."""

    value: float
    """Of the second file."""
    low: float
    high: float
    """Bounds of the first file's interval."""
    unit: str | None
    """Of all three; null where they are ratios to the reference build."""

    @property
    def is_inside(self) -> bool:
        """Whether the value lies inside the interval."""
        return self.low <= self.value <= self.high

    @property
    def words(self) -> str:
        """It in words: "1.31 s is inside 1.29 to 1.34 s"."""
        where = "inside" if self.is_inside else "outside"
        if self.unit is not None:
            return f"{format_value(self.value, self.unit)} is {where} {format_interval(self.low, self.high, self.unit)}"
        interval = format_ratio_interval(self.low, self.high)
        return f"{format_bound(self.value)} of the reference build is {where} {interval}"


@dataclass(frozen=True, slots=True)
class Row:
    """One series of the two files, in its scenario's first metric."""

    key: SeriesKey
    metric: Metric
    comparison: Comparison | str
    """The second file over the first, or why they are not comparable."""
    placement: Placement | str
    """Where the second file's value lies beside the first's interval, or why that can't be said."""
    through_reference: bool
    """Whether it was compared through the reference build."""
    noise: Comparison | None = None
    """How far the baselines of both lay from themselves; None where that is not known."""
    packages: Sequence[str] = ()
    """Those of which the two have different versions, with both: the comparison is of these as well."""

    @property
    def words(self) -> str:
        """The comparison in words."""
        if isinstance(self.comparison, str):
            return "not comparable"
        return say(self.comparison, kind_of_metric(self.metric), self.noise)


def read(path: Path) -> Record:
    """Read one result file, and the reference build's beside it. Raises UserError, which says what is wrong with it."""
    wanted = load(path)
    for problem in wanted.problems:
        raise UserError(str(problem))
    if len(wanted.files) != 1:
        msg = f"{path}: {len(wanted.files)} result files are there; name one"
        raise UserError(msg)
    beside = load(*(other for other in sorted(path.parent.glob("*.json")) if other != path))
    return with_reference([*wanted.files, *beside.files])[0].record


def compare(first: Record, second: Record, scenarios: Mapping[str, Scenario] | None = None) -> list[Row]:
    """Compare *second*, the candidate, with *first*, the baseline: a row for each series of either, in order of name.

    Without *scenarios* those of the catalogue are taken. A series that can't be compared has a row that says why.
    """
    known = catalogue.find() if scenarios is None else scenarios
    sides = Side.of("first", first, known), Side.of("second", second, known)
    keys = {key for side in sides for key in side.view.series if key.role == "subject"}
    together = measured_together(first, second)
    return [_row(*sides, key, together=together) for key in sorted(keys)]


def _row(a: Side, b: Side, key: SeriesKey, *, together: bool) -> Row:
    metric = next(iter(a.view.metrics(a.view.series.get(key) or b.view.series[key])))
    pair = both(a, b, key)
    if isinstance(pair, str):
        return Row(key, metric, pair, pair, not together)
    comparison = _compared(a, b, pair, metric, together=together)
    noise = noise_of_both(a, b, pair, metric, together=together)
    packages = other_packages(a, b, pair)
    return Row(key, metric, comparison, _placed(a, b, pair, metric), not together, noise, packages)


def _compared(a: Side, b: Side, pair: tuple[Series, Series], metric: Metric, *, together: bool) -> Comparison | str:
    first, second = pair
    if together:
        compared = compare_by_round(b.view.by_round(second, metric), a.view.by_round(first, metric))
    else:
        ratios = _to_reference(a, b, pair, metric)
        if isinstance(ratios, str):
            return ratios
        compared = _quotient(*ratios)
    decides_too = all(decides(*each, together=together) for each in ((a, first), (b, second)))
    return as_undecided(compared, decides_too=decides_too) or "no round has a ratio"


def _to_reference(a: Side, b: Side, pair: tuple[Series, Series], metric: Metric) -> tuple[Comparison, Comparison] | str:
    """Return each series over the reference build's, or why one of them can't be."""
    if why := no_common_reference(a.record, b.record) or changed_packages(a, b, pair[0].key):
        return why
    first, second = to_reference(a, pair[0], metric), to_reference(b, pair[1], metric)
    if isinstance(first, str):
        return first
    return second if isinstance(second, str) else (first, second)


def _quotient(a: Comparison, b: Comparison) -> Comparison | None:
    """Divide *b* by *a*, which are independent. What the bounds cover stands at the top of this module."""
    if a.low <= 0:
        return None
    coverage = max(a.coverage + b.coverage - 1, 0.0)
    pairs = min(a.pairs, b.pairs)
    return Comparison(b.ratio / a.ratio, b.low / a.high, b.high / a.low, coverage, pairs, a.decided and b.decided)


def _placed(a: Side, b: Side, pair: tuple[Series, Series], metric: Metric) -> Placement | str:
    """Place *b*'s value beside *a*'s interval: as measured on one machine, by the reference build on two.

    Returns the reason where the two are not of one build or have no values.
    """
    if identity(a.record.build) != identity(b.record.build):
        return TWO_BUILDS
    first, second = a.view.by_round(pair[0], metric), b.view.by_round(pair[1], metric)
    if not first or not second:
        return "no round has a value"
    if host(a.record.machine) == host(b.record.machine):
        interval = median_interval([*first.values()])
        return Placement(median(second.values()), interval.low, interval.high, metric.unit)
    ratios = _to_reference(a, b, pair, metric)
    if isinstance(ratios, str):
        return ratios
    of_first, of_second = ratios
    return Placement(of_second.ratio, of_first.low, of_first.high, None)


def lines(rows: list[Row], apart: str | None = None) -> list[str]:
    """Lay the rows out: a heading for each case, a line for each runner, and what sums them up.

    *apart* is why nothing of the two files can be compared, where that is so; it stands there once.
    """
    if why := _why_none(rows, apart):
        return [f"None of the {len(rows)} series is comparable: {why}.", *REMEDY]
    width = max((len(row.key.runner) for row in rows), default=0)
    printed = []
    for (scenario, case, metric), group in groupby(rows, lambda row: (*row.key[:2], row.metric.name)):
        of_case = [*group]
        printed.append(f"{scenario} / {case} ({metric}){_packages(of_case)}")
        for row in of_case:
            place = f"; {row.placement.words}" if isinstance(row.placement, Placement) else ""
            printed.append(f"  {row.key.runner:{width}}  {row.words}{_remark(row)}{place}")
    would_cancel = any(WOULD_CANCEL in row.comparison for row in rows if isinstance(row.comparison, str))
    return [*printed, _summary(rows), *_plainly(rows), *(REMEDY if would_cancel else ())]


def _why_none(rows: list[Row], apart: str | None) -> str:
    """Say why no row has anything to say, where that is of the two files as a whole; empty where it is not."""
    if apart is None or any(isinstance(row.placement, Placement) for row in rows):
        return ""
    return apart if any(row.comparison == apart for row in rows) else ""


def _packages(of_case: list[Row]) -> str:
    """Name the packages of which the runners of a case have different versions in the two, if there are any."""
    differing = dict.fromkeys(
        name for row in of_case if isinstance(row.comparison, Comparison) for name in row.packages
    )
    return f"; {', '.join(differing)}" if differing else ""


def _plainly(rows: list[Row]) -> list[str]:
    """Sum up what is plainly faster or slower, where the two are of two builds."""
    if not any(row.placement == TWO_BUILDS for row in rows):
        return []
    changes = [
        Change(
            f"{row.key.runner} in {row.key.scenario}, {row.key.case}",
            row.comparison,
            row.noise,
            kind_of_metric(row.metric),
            row.metric.better,
        )
        for row in rows
        if isinstance(row.comparison, Comparison)
    ]
    return closing("The second", "the first", changes)


def _remark(row: Row) -> str:
    if isinstance(row.comparison, str):
        return f": {row.comparison}"
    if not row.comparison.decided:
        return ""
    through = ", through the reference build" if row.through_reference else ""
    unknown = ", noise not known" if row.noise is None and row.comparison.differs else ""
    return f", {row.comparison.pairs} pairs, {format_share(row.comparison.coverage)}{through}{unknown}"


def _summary(rows: list[Row]) -> str:
    if any(row.placement == TWO_BUILDS for row in rows):
        return f"No value is placed in the other's interval: {TWO_BUILDS}."
    inside = [row.placement.is_inside for row in rows if isinstance(row.placement, Placement)]
    without = f"; {len(rows) - len(inside)} can't be placed" if len(rows) > len(inside) else ""
    return f"The second's value lies inside the first's interval in {sum(inside)} of {len(inside)} series{without}."


def heading(first: Record, second: Record) -> str:
    """Say what is compared with what: the two builds, and where, how often and when they were measured."""
    names, how = [build_name(one.build) for one in (second, first)], [_how(one) for one in (second, first)]
    if measured_together(first, second):
        return f"{names[0]} (second) over {names[1]} (first), of one run: {how[0]}"
    return f"{names[0]} (second: {how[0]}) over {names[1]} (first: {how[1]})"


def _how(record: Record) -> str:
    run = record.run
    return f"{run.profile} profile, {counted(run.rounds, 'round')}, on {record.machine.label}, {run.started[:10]}"


def show(first: Record, second: Record, console: Console | None = None) -> None:
    """Print how the second compares with the first: fitted to a terminal, in whole lines for a file or a pipe."""
    screen = console or Console()
    apart = None if measured_together(first, second) else no_common_reference(first, second)
    for line in (heading(first, second), *lines(compare(first, second), apart)):
        text = "\n".join(fitted(line, screen.width)) if screen.is_terminal else line
        screen.print(text, soft_wrap=True, markup=False, highlight=False)


@click.command("compare")
@click.argument("first", type=FOLDER, metavar="FIRST.json")
@click.argument("second", type=FOLDER, metavar="SECOND.json")
def command(first: Path, second: Path) -> None:
    """Print, for each series of two files, the ratio of the second to the first, or why there is none."""
    with ending_on_errors():
        show(read(first), read(second))
