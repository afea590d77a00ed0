"""Where a value lies on a bar's track or on an axis: from zero, or on a log scale where values span much."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

LOG_FROM_SPAN = 30
"""If values lie further apart than this, bars from zero would hide the small ones: dots on a log scale instead."""
IDEAL_SHOWN_TO = 1.25
"""An ideal further off than so many times the longest bar is not drawn: it would squeeze the bars."""
FARTHEST_END = 2
"""Ranges are cut off further out than so many times the largest value, or below the smallest, for the same reason."""
MOST_TICKS = 6
"""Of an axis: what a phone has room for."""


@dataclass(frozen=True)
class Scale:
    """Maps values to percent of a bar's track."""

    low: float
    """Where a log scale begins; the others begin at zero."""
    high: float
    log: bool

    @classmethod
    def of(cls, values: Sequence[float], ends: Sequence[float]) -> Scale:
        """Choose the scale that shows *values* in full, and *ends* of ranges unless they are far out."""
        low, most = min(values, default=0.0), max(values, default=1.0)
        reach = most * FARTHEST_END or math.inf
        high = max([most, *(min(end, reach) for end in ends)]) or 1.0
        if low > 0 and most / low > LOG_FROM_SPAN:
            lowest = min([low, *(max(end, low / FARTHEST_END) for end in ends)])
            return cls(10 ** math.floor(math.log10(lowest)), high, log=True)
        return cls(0.0, high, log=False)

    def percent(self, amount: float) -> float:
        """Return where *amount* lies, 0 to 100."""
        if self.log:
            share = math.log(max(amount, self.low) / self.low) / math.log(self.high / self.low)
        else:
            share = amount / self.high
        return round(100 * min(max(share, 0.0), 1.0), 1)

    def ticks(self) -> list[float]:
        """Return the values that an axis names: few and round; on a log scale powers of ten if it spans several."""
        first, last = (math.log10(end) if self.log else 0.0 for end in (self.low, self.high))
        if last - first < 1:  # as on a linear scale
            step = _round_up((self.high - self.low) / (MOST_TICKS - 1))
            begin = math.ceil(self.low / step - 1e-9)
            return [
                step * number for number in range(begin, begin + MOST_TICKS) if step * number <= self.high * 1.000001
            ]
        powers = range(math.ceil(first - 1e-9), math.floor(last + 1e-9) + 1)
        if len(powers) > MOST_TICKS // 2:
            return [10.0**power for power in powers[:: -(-len(powers) // MOST_TICKS)]]
        every = range(powers[0] - 1, powers[-1] + 1)
        of_each = [[times * 10.0**power for power in every for times in within] for within in ((1, 2, 5), (1, 3), (1,))]
        shown = [[tick for tick in found if self.low * 0.999999 <= tick <= self.high * 1.000001] for found in of_each]
        return next((found for found in shown if len(found) <= MOST_TICKS), shown[-1])


def _round_up(amount: float) -> float:
    """Return the smallest of 1, 2, 2.5, 5 and 10 times a power of ten that is no less than *amount*."""
    power = 10.0 ** math.floor(math.log10(amount))
    return next((times * power for times in (1, 2, 2.5, 5) if times * power >= amount), 10 * power)
