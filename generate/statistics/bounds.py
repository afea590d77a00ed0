"""Bounds that a ratio, a value or a share should lie in, and what an interval decides about them. Pure."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

Decision = Literal["holds", "does not hold", "undecided"]
"""Of an interval: all of it lies inside the bounds, all of it outside, or neither."""
DECIDED: tuple[Decision, ...] = ("holds", "does not hold")
"""Those that say which."""


class Bounds(NamedTuple):
    """Where a ratio or a value should lie."""

    low: float
    """Lower end; minus infinity where there is none."""
    high: float
    """Upper end; infinity where there is none."""

    def decide(self, low: float, high: float) -> Decision:
        """Judge an interval by where it lies.

        One that touches an end is undecided; a single number has no noise, and may lie on an end.
        """
        if low == high:
            return "holds" if self.holds(low) else "does not hold"
        if self.low < low and high < self.high:
            return "holds"
        return "does not hold" if high < self.low or low > self.high else "undecided"

    @property
    def is_open(self) -> bool:
        """Whether they have one end alone, so that what lies in them is a direction."""
        return math.isinf(self.low) or math.isinf(self.high)

    def holds(self, value: float) -> bool:
        """Return whether a number that has no noise is as expected; the ends belong to the bounds."""
        return self.low <= value <= self.high
