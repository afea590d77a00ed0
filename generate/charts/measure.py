"""The unit of an axis, and the words of a value on it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from generate.charts.lines import Point, point_of
from generate.words.numbers import count_noun, format_with_range
from generate.words.units import axis_scale

if TYPE_CHECKING:
    from collections.abc import Iterable

    from generate.data.estimates import Estimate
    from generate.data.table import Summary
    from runners.harness.contract import Metric


class Measure(NamedTuple):
    """How the values of a metric are on an axis."""

    factor: float
    """By what they are multiplied."""
    title: str
    """What the axis is of, with the unit: "Time for all pages (ms)"."""
    direction: str
    """Which of them are better: "; lower is better"; empty if neither is."""

    @classmethod
    def of(cls, metric: Metric, amounts: Iterable[float]) -> Measure:
        """Choose the unit that suits *amounts*."""
        scale = axis_scale(metric.unit, amounts)
        is_said = not scale.sign or re.search(rf"\b{re.escape(scale.sign)}\b", metric.title)
        unit = "" if is_said else f" ({scale.sign})"
        better = "" if metric.better == "neither" else f"; {metric.better} is better"
        return cls(1 / scale.size, f"{metric.title}{unit}", better)

    def point(self, x: float, row: Summary) -> Point:
        """Return the estimate of *row*, which has a value, at *x*."""
        return point_of(x, row.value, hover_words(row.value, row.unit), self.factor) if row.value else Point(x, 0.0)


def hover_words(estimate: Estimate, unit: str) -> str:
    """Write an estimate with its range and runs, for a pointer that rests on it."""
    return f"{format_with_range(estimate, unit)}, {count_noun(len(estimate.runs), 'run')}"
