"""Where a claim expects a number to lie, and what measured values say of it. Pure.

A region is an interval of ratios or of values; either end may be infinite. Values that lie on one of its ends count
neither for it nor against it.
"""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

Position = Literal["inside", "outside", "across"]

FALSE_DISCOVERY_RATE = 0.05
"""Share of wrong decisions among all decisions of a cell that is accepted."""


class Signs(NamedTuple):
    """Exact one-sided sign tests of the median of some values, each a probability."""

    inside: float
    """Of values that lie so far inside, or further, if the true median lay on the nearer end or outside."""
    outside: float
    """Of values that lie so far outside, if it lay inside."""

    @property
    def either(self) -> float:
        """The probability for a decision of either kind: twice the smaller, at most 1."""
        return min(1.0, 2 * min(self))


class Bounds(NamedTuple):
    """What a claim expects."""

    low: float
    """Lower end; minus infinity where there is none."""
    high: float
    """Upper end; infinity where there is none."""

    def place(self, low: float, high: float) -> Position:
        """Tell how an interval lies to the region."""
        if self.low < low and high < self.high:
            return "inside"
        return "outside" if high < self.low or low > self.high else "across"

    def holds(self, value: float) -> bool:
        """Tell whether a number that has no noise is as expected; the ends belong to the region."""
        return self.low <= value <= self.high

    def signs(self, values: Sequence[float]) -> Signs:
        """Test whether the median of *values* lies inside, and whether it lies outside."""
        above_low = _tail(sum(value > self.low for value in values), len(values))
        below_high = _tail(sum(value < self.high for value in values), len(values))
        below = _tail(sum(value < self.low for value in values), len(values))
        above = _tail(sum(value > self.high for value in values), len(values))
        return Signs(
            max(above_low if math.isfinite(self.low) else 0.0, below_high if math.isfinite(self.high) else 0.0),
            min(below, above),
        )


@functools.cache
def _tail(successes: int, count: int) -> float:
    """Return the probability of at least *successes* heads in *count* throws of a fair coin."""
    return sum(math.comb(count, heads) for heads in range(successes, count + 1)) / (1 << count)


def all_of(each: Sequence[Signs]) -> Signs:
    """Return the tests of a claim that several comparisons have to bear out, all of them.

    Inside needs the weakest of them; outside is borne out by any one, so the strongest counts as often as it had a
    chance (Bonferroni).
    """
    return Signs(max(signs.inside for signs in each), min(1.0, len(each) * min(signs.outside for signs in each)))


def discoveries(probabilities: Sequence[float], rate: float = FALSE_DISCOVERY_RATE) -> list[bool]:
    """Tell which of some tests may decide so that at most *rate* of the decisions are wrong (Benjamini and Hochberg).

    The guarantee holds for tests that are independent or lean the same way; claims of one cell share series, and lean.
    """
    ordered = sorted(probabilities)
    limit = max((p for rank, p in enumerate(ordered, 1) if p <= rate * rank / len(ordered)), default=-1.0)
    return [p <= limit for p in probabilities]
