"""Exact one-sided sign tests of a median, and control of false discoveries over many of them. Pure."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

FALSE_DISCOVERY_RATE = 0.05
"""Share of wrong decisions among all decisions of a cell that is accepted."""


class SignTest(NamedTuple):
    """Tests whether the median of some values lies between two bounds, and whether it does not: probabilities."""

    inside: float
    """Of values that lie so far inside, or further, if the true median lay on the nearer bound or outside."""
    outside: float
    """Of values that lie so far outside, if it lay inside."""

    @property
    def either(self) -> float:
        """The probability for a decision of either kind: twice the smaller, at most 1."""
        return min(1.0, 2 * min(self))


def sign_test(values: Sequence[float], low: float, high: float) -> SignTest:
    """Test whether the median of *values* lies between *low* and *high*, either of which may be infinite.

    A value on a bound lies neither above nor below it, and is one of the values all the same: it makes both less sure.
    """
    count = len(values)
    above_low = _tail(sum(value > low for value in values), count) if math.isfinite(low) else 0.0
    below_high = _tail(sum(value < high for value in values), count) if math.isfinite(high) else 0.0
    below_low = _tail(sum(value < low for value in values), count)
    above_high = _tail(sum(value > high for value in values), count)
    return SignTest(max(above_low, below_high), min(below_low, above_high))


@functools.cache
def _tail(successes: int, count: int) -> float:
    """Return the probability of at least *successes* heads in *count* throws of a fair coin."""
    return sum(math.comb(count, heads) for heads in range(successes, count + 1)) / (1 << count)


def all_of(tests: Sequence[SignTest]) -> SignTest:
    """Return the test of several medians that must all lie inside.

    Inside needs the weakest of them; outside is borne out by any one, so the strongest counts as often as it had a
    chance (Bonferroni).
    """
    return SignTest(max(test.inside for test in tests), min(1.0, len(tests) * min(test.outside for test in tests)))


def discoveries(probabilities: Sequence[float]) -> list[bool]:
    """Return which of some tests may decide (Benjamini and Hochberg), at most FALSE_DISCOVERY_RATE of them wrongly.

    The guarantee holds for tests that are independent or positively dependent, as claims of one cell are that share
    series.
    """
    ordered = sorted(probabilities)
    limit = max(
        (p for rank, p in enumerate(ordered, 1) if p <= FALSE_DISCOVERY_RATE * rank / len(ordered)), default=-1.0
    )
    return [p <= limit for p in probabilities]
