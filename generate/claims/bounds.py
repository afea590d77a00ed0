"""Where a claim expects a ratio or a value to lie. Pure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

Position = Literal["inside", "outside", "across"]
"""Where an interval lies: all of it inside the bounds, all of it outside, or neither."""


class Bounds(NamedTuple):
    """What a claim expects."""

    low: float
    """Lower end; minus infinity where there is none."""
    high: float
    """Upper end; infinity where there is none."""

    def position(self, low: float, high: float) -> Position:
        """Return where an interval lies. One that is a single number has no noise, and may lie on an end."""
        if low == high:
            return "inside" if self.holds(low) else "outside"
        if self.low < low and high < self.high:
            return "inside"
        return "outside" if high < self.low or low > self.high else "across"

    def holds(self, value: float) -> bool:
        """Return whether a number that has no noise is as expected; the ends belong to the bounds."""
        return self.low <= value <= self.high

    def words(self, write: Callable[[float], str], at_least: str, at_most: str) -> str:
        """Return the bounds in words, each number as *write* writes it: "at most 100 ms"."""
        if self.low == self.high:
            return f"exactly {write(self.low)}"
        if math.isinf(self.low):
            return f"{at_most} {write(self.high)}"
        if math.isinf(self.high):
            return f"{at_least} {write(self.low)}"
        return f"from {write(self.low)} to {write(self.high)}"
