"""Positions of values on an axis: from zero, or on a log scale if values span much. Figures keep the unit as stored."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generate.data.estimates import Estimate
from generate.words.numbers import abbreviate_rate, format_value, round_digits
from runners.harness.contract import Metric

LOG_FROM_SPAN = 30
"""If values are further apart than this, bars from zero would hide the small ones: marks on a log scale instead."""
FARTHEST_END = 2
"""Ranges and ideals are cut off at this many times the largest value, or below the smallest: they squeeze bars."""
MOST_TICKS = 6
"""More don't fit on a phone."""
LEAST_APART = 12
"""Per cent of an axis between two amounts that are named."""
NEARLY = 1.01
"""The end of an axis is named if it is as near as this: 100,000 for 99,999."""


@dataclass(frozen=True)
class Scale:
    """The stretch of values that an axis shows."""

    low: float
    """First value of a log scale; the others begin at zero."""
    high: float
    log: bool

    @classmethod
    def for_values(cls, values: Sequence[float], ends: Sequence[float], log_from: float = LOG_FROM_SPAN) -> "Scale":
        """Choose the scale that shows *values* in full, and *ends* of ranges unless they are far out."""
        low, most = min(values, default=0.0), max(values, default=1.0)
        reach = most * FARTHEST_END or math.inf
        high = max([most, *(min(end, reach) for end in ends)]) or 1.0
        if low > 0 and most / low > log_from:
            lowest = min([low, *(max(end, low / FARTHEST_END) for end in ends)])
            return cls(10 ** math.floor(math.log10(lowest)), high, log=True)
        return cls(0.0, high, log=False)

    @classmethod
    def for_estimates(
        cls, estimates: Iterable[Estimate], others: Iterable[float] = (), log_from: float = LOG_FROM_SPAN
    ) -> "Scale":
        """Choose the scale that shows estimates with their ranges and runs, and *others*."""
        shown = [*estimates]
        ends = [end for each in shown for end in (*drawn_range(each), *(run.value for run in each.runs))]
        return cls.for_values([each.value for each in shown], [*others, *ends], log_from)

    @classmethod
    def spanning(cls, values: Sequence[float]) -> "Scale":
        """Return the log scale from the least to the greatest of *values*, which are above 0."""
        return cls(min(values), max(*values, min(values) * 1.01), log=True)

    def percent(self, amount: float) -> float:
        """Return the position of *amount*, 0 to 100."""
        if self.log:
            share = math.log(max(amount, self.low) / self.low) / math.log(self.high / self.low)
        else:
            share = amount / self.high
        return round(100 * min(max(share, 0.0), 1.0), 1)

    def value_at(self, share: float) -> float:
        """Return the value at a share of the scale's length."""
        return short(self.low * (self.high / self.low) ** share if self.log else self.high * share)

    def axis(self, before: float = 0.0, after: float = 0.04) -> dict[str, Any]:
        """Return the type and range of Plotly's axis, with room at both ends: shares of its length."""
        ends = [self.value_at(-before), self.value_at(1 + after)]
        return {"type": "log", "range": [math.log10(end) for end in ends]} if self.log else {"range": ends}

    def ticks(self) -> list[float]:
        """Return the values that an axis names: few and round, on a log scale 1, 2 and 5 or only powers of ten."""
        first, last = (math.log10(end) if self.log else 0.0 for end in (self.low, self.high))
        if last - first < 1:  # as on a linear scale
            step = _round_up((self.high - self.low) / (MOST_TICKS - 1))
            begin = math.ceil(self.low / step - 1e-9)
            ticks = [step * number for number in range(begin, begin + MOST_TICKS)]
            return [tick for tick in ticks if tick <= self.high * NEARLY]
        powers = [10.0**power for power in range(math.floor(first), math.ceil(last) + 1)]
        ticks = [times * power for power in powers for times in (1, 2, 5)]
        ticks = [tick for tick in ticks if self.low / NEARLY <= tick <= self.high * NEARLY]
        if len(ticks) > MOST_TICKS:
            ticks = [tick for tick in ticks if tick in powers]
        return ticks[:: -(-len(ticks) // MOST_TICKS)]

    def named_ticks(self, unit: str) -> dict[str, Any]:
        """Return the decades of a log axis for Plotly, or finer ticks if it is short, named right of their lines."""
        steps = (1, 2, 5) if self.high < LOG_FROM_SPAN * self.low else (1,)
        powers = range(math.ceil(math.log10(self.high / self.low)) + 1)
        every = [short(self.low * 10**power * times) for power in powers for times in steps]
        ticks = [tick for tick in every if tick <= self.high]
        ticks = ticks[:: -(-len(ticks) // MOST_TICKS)]
        names = [abbreviate_rate(format_value(tick, unit, 1)) for tick in ticks]
        return {"tickvals": ticks, "ticktext": names, "ticklabelposition": "outside right"}


def drawn_range(estimate: Estimate) -> tuple[float, ...]:
    """Return the ends of an estimate's range, or nothing if it has none to draw."""
    return (estimate.low, estimate.high) if estimate.has_range and estimate.low < estimate.high else ()


def short(amount: float) -> float:
    """Round to five significant digits: more can't be seen, and the files stay small."""
    return round_digits(amount, 5) if math.isfinite(amount) else 0


def number_axis(title: str, scale: Scale, size: float = 1.0) -> dict[str, Any]:
    """Return Plotly's axis that names round numbers, in a unit of this *size*."""
    values = [short(tick) for tick in scale.ticks()]
    names = [f"{short(value / size):,.10g}" for value in values]
    return {**scale.axis(), "title": {"text": title}, "tickvals": values, "ticktext": names}


def amounts_axis(title: str, amounts: Sequence[float], marks: Mapping[float, str]) -> dict[str, Any]:
    """Return the log axis that names all of *marks*, with their names below, and as many *amounts* as fit."""
    scale, named = Scale.spanning(amounts), list[float]()
    for amount in (*marks, amounts[0], amounts[-1], *amounts):
        if all(abs(scale.percent(amount) - scale.percent(other)) >= LEAST_APART for other in named):
            named.append(amount)
    names = [f"{amount:,.10g}" + (f"<br>{marks[amount]}" if amount in marks else "") for amount in named]
    return {**scale.axis(0.05, 0.05), "title": {"text": f"{title}; log scale"}, "tickvals": named, "ticktext": names}


def values_title(metric: Metric, *, is_log: bool) -> str:
    """Describe the values of a chart: "Time for all pages; lower is better"."""
    better = "" if metric.better == "neither" else f"{metric.better} is better"
    return "; ".join(filter(None, [metric.title, better, "log scale" if is_log else ""]))


def _round_up(amount: float) -> float:
    """Return the smallest of 1, 2, 2.5, 5 and 10 times a power of ten that is at least *amount*."""
    power = 10.0 ** math.floor(math.log10(amount))
    return next((times * power for times in (1, 2, 2.5, 5) if times * power >= amount), 10 * power)
