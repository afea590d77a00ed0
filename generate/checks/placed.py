"""Where one file's value lies beside the interval that another file has of the same series."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from generate.checks.pair import both, host, identity, no_common_reference, to_reference
from generate.statistics.intervals import median_interval
from generate.text.numbers import format_interval, format_ratio, format_ratio_interval, format_value

if TYPE_CHECKING:
    from generate.checks.pair import Side
    from runners.harness.contract import Metric
    from runners.harness.record.model import SeriesKey

TWO_BUILDS = "they are of two builds"


@dataclass(frozen=True, slots=True)
class Placed:
    """The second file's value beside the first's interval."""

    value: float
    """Of the second file."""
    low: float
    """Of the first file's interval."""
    high: float
    """Of the first file's interval."""
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
        return f"{format_ratio(self.value)} of the reference build is {where} {interval}"


def placed(a: Side, b: Side, key: SeriesKey, metric: Metric) -> Placed | str:
    """Place *b*'s value beside *a*'s interval: as measured on one machine, by the reference build on two.

    Returns the reason where the two are not of one build, were not measured by the same code, or have no values.
    """
    found = both(a, b, key)
    if isinstance(found, str):
        return found
    if identity(a.record.build) != identity(b.record.build):
        return TWO_BUILDS
    ours, yours = found
    first, second = a.view.by_round(ours, metric), b.view.by_round(yours, metric)
    if not first or not second:
        return "no round has a value"
    if host(a.record.machine) == host(b.record.machine):
        interval = median_interval([*first.values()])
        return Placed(median(second.values()), interval.low, interval.high, metric.unit)
    if why := no_common_reference(a.record, b.record):
        return why
    (to_a, why_a), (to_b, why_b) = to_reference(a, ours, metric), to_reference(b, yours, metric)
    return Placed(to_b.ratio, to_a.low, to_a.high, None) if to_a and to_b else why_a or why_b or ""
