"""Bounds that a ratio, a value or a share should lie in, and what a range decides about them. Pure."""

from __future__ import annotations

from typing import Literal, NamedTuple

Decision = Literal["holds", "does not hold", "undecided"]
"""A range lies inside the bounds, outside, or neither."""
DECIDED: tuple[Decision, ...] = ("holds", "does not hold")


class Bounds(NamedTuple):
    """Where a ratio or a value should lie."""

    low: float
    """Minus infinity if open."""
    high: float
    """Infinity if open."""

    def decide(self, low: float, high: float) -> Decision:
        """Judge a range by where it lies.

        A range that touches an end is undecided. A number without noise may lie on an end.
        """
        if low == high:
            return "holds" if self.holds(low) else "does not hold"
        if self.low < low and high < self.high:
            return "holds"
        return "does not hold" if high < self.low or low > self.high else "undecided"

    def holds(self, value: float) -> bool:
        """True if a number without noise lies inside; the ends belong to the bounds."""
        return self.low <= value <= self.high
