"""Where a value lies on a bar's track or on an axis: from zero, or on a log scale where values span much."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

LOG_FROM_SPAN = 30
"""Where medians lie further apart than this, bars from zero would hide the small ones: dots on a log scale instead."""


@dataclass(frozen=True)
class Scale:
    """Maps values to percent of a bar's track."""

    low: float
    high: float
    log: bool

    @classmethod
    def of(cls, medians: Sequence[float], ends: Sequence[float]) -> Scale:
        """Choose the scale that shows *medians*, and *ends* of intervals, in full."""
        low, high = min(medians, default=0.0), max([*medians, *ends], default=1.0) or 1.0
        if low > 0 and max(medians) / low > LOG_FROM_SPAN:
            return cls(10 ** math.floor(math.log10(min([low, *(end for end in ends if end > 0)]))), high, log=True)
        return cls(0.0, high, log=False)

    def percent(self, amount: float) -> float:
        """Return where *amount* lies, 0 to 100."""
        if self.log:
            share = math.log(max(amount, self.low) / self.low) / math.log(self.high / self.low)
        else:
            share = amount / self.high
        return round(100 * min(max(share, 0.0), 1.0), 2)
