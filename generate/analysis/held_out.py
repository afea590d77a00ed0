"""How well runs predict each other: the table of what differs between them, and each run held out. Pure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from generate.analysis.selection import OWN_VALUE, Divisor
from generate.statistics.between_runs import POINT, BetweenRuns, Excess, table
from generate.statistics.estimates import excess, pool
from runners.harness.contract import Metric

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from generate.analysis.selection import CellResult
    from generate.statistics.between_runs import Block
    from generate.statistics.estimates import RunRounds
    from runners.harness.record.model import SeriesKey


class SeveralRuns(NamedTuple):
    """One series, or one pair of series, that several runs measured."""

    block: Block
    is_first: bool
    """True for the scenario's first metric."""
    is_control: bool
    runs: list[RunRounds]
    excess: float
    """How much the runs differ beyond their rounds."""


def several_runs(results: Iterable[CellResult]) -> Iterator[SeveralRuns]:
    """Yield every value and ratio on the log scale that two or more runs of a result measured."""
    for result in results:
        for key in dict.fromkeys(key for run in result.runs for key in run.view.series if key.role != "reference"):
            yield from _of_series(result, key)


def _of_series(result: CellResult, key: SeriesKey) -> Iterator[SeveralRuns]:
    having = result.having(key)
    series, view = having[0].view.series[key], having[0].view
    base = view.baseline(series)
    divisors = [OWN_VALUE, *([Divisor("within", base.key)] if base and base is not series else [])]
    if key.role == "subject":
        divisors += [Divisor("across", key._replace(role="reference")), Divisor("across", key, is_twin=True)]
    metrics = view.metrics(series)
    names = (name for name in series.samples.values if POINT.match(name) and name.endswith("_elapsed_ns"))
    points = [Metric(name, "", "ns", "lower") for name in names]
    for metric in points or metrics:
        for divisor in divisors if metric.unit != "count" else ():
            runs, _ = result.rounds_of_runs(key, metric, divisor)
            if (apart := excess(runs)) is not None and all(min(run.values) > 0 for run in runs):
                block = result.block(key, metric, divisor.compared)
                is_first = bool(points) or metric is metrics[0]
                yield SeveralRuns(block, is_first, key.role == "control", runs, apart)


def between_runs(found: Iterable[SeveralRuns]) -> BetweenRuns:
    """Return the table of what differs between runs; controls are no evidence of what candidates do."""
    return table((each.block, each.excess) for each in found if not each.is_control or each.block.compared == "value")


def without(between: BetweenRuns, own: SeveralRuns) -> BetweenRuns:
    """Return the table as it would be without one series."""
    place = own.block.place
    known = between.blocks.get(place)
    if known is None or (own.is_control and own.block.compared != "value"):
        return between
    left = known.series - 1
    mean = (known.mean * known.series - own.excess) / left if left else 0.0
    return BetweenRuns({**between.blocks, place: Excess(mean, left)})


class HeldOut(NamedTuple):
    """One run, and what the others predicted."""

    several: SeveralRuns
    is_inside: bool
    half_width: float
    """Of the range of a further run: its upper end over the estimate, less 1."""


def held_out(several: SeveralRuns, between: float) -> Iterator[HeldOut]:
    """Yield each run beside the range that the others give for a further one."""
    for index, run in enumerate(several.runs):
        others = pool([*several.runs[:index], *several.runs[index + 1 :]], between)
        own = pool([run], between)
        if others and own and others.has_range:
            value = own.runs[0].value
            is_inside = others.another_low <= value <= others.another_high
            yield HeldOut(several, is_inside, others.another_high / others.value - 1)


def halves_differ(several: SeveralRuns, between: float) -> bool | None:
    """True if estimates of two disjoint halves of the runs differ beyond their combined range; None without a range."""
    halves = [pool(several.runs[start::2], between) for start in (0, 1)]
    if not all(half and half.has_range and math.isfinite(half.variance) for half in halves):
        return None
    first, second = (half for half in halves if half)
    return first.over(second).differs
