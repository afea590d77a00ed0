"""Medians and paired ratios with exact order-statistic intervals.

No distribution is assumed and no random number drawn: the same values give the same interval, to the last bit. The
interval from the k-th smallest to the k-th largest of n values covers the true median with probability
1 - 2 P(Binomial(n, 1/2) < k). The narrowest one that reaches 95 % is taken; where none does (fewer than 6 values), the
widest there is, with the coverage it has.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

COVERAGE_WANTED = 0.95
FEWEST_PAIRS = 9
"""Below this order statistics decide nothing; of directions alone there is another rule, in `quick`."""


@dataclass(frozen=True, slots=True)
class Ranks:
    """Which order statistics bound the median's interval."""

    low: int
    """Rank of the lower bound among the values in ascending order, from 1."""
    high: int
    """Rank of the upper bound; as far from the top as `low` is from the bottom."""
    coverage: float
    """Probability that the interval holds the true median, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A median and where the true one lies. In the unit of the values."""

    median: float
    """Middle value; of an even number of values the mean of the two middle ones."""
    low: float
    """Lower bound: one of the values, but by the rule for few ratios."""
    high: float
    """Upper bound: the same."""
    coverage: float
    """Probability that the bounds hold the true median, 0 to 1."""
    count: int
    """How many values there were."""
    is_quick: bool = False
    """Whether it is of few ratios, by the rule in `quick`: then it decides directions alone."""

    @property
    def decides(self) -> bool:
        """Whether there were values enough to decide anything."""
        return self.is_quick or self.count >= FEWEST_PAIRS


@dataclass(frozen=True, slots=True)
class Intervals:
    """Many medians at once: arrays of one entry a series, NaN where a series has no value."""

    median: Floats
    low: Floats
    high: Floats
    coverage: Floats
    """Coverage reached, 0 to 1; NaN without a value."""
    minimum: Floats
    maximum: Floats
    count: NDArray[np.int64]
    """How many values each series had."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A candidate against a baseline: the ratio candidate / baseline, paired by round."""

    ratio: float
    """Median of the paired ratios; `low` and `high` are its bounds."""
    low: float
    high: float
    coverage: float
    """Probability that the bounds hold the true ratio, 0 to 1."""
    pairs: int
    """Rounds in which both were measured."""
    decided: bool
    """Whether there are pairs enough for the interval to decide anything. What it decides is where its bounds lie."""
    quick: bool = False
    """Whether it is of few rounds or of a quick run: where that decides, it decides directions alone."""
    few: bool = False
    """Whether it is so for its few rounds alone, and of no quick run."""

    @classmethod
    def of(cls, ratios: Interval, *, decided: bool, quick: bool = False, of_quick_run: bool = False) -> Self:
        """Return the comparison that the interval of paired *ratios* makes."""
        is_quick = quick or of_quick_run or ratios.is_quick
        few = is_quick and not of_quick_run
        return cls(ratios.median, ratios.low, ratios.high, ratios.coverage, ratios.count, decided, is_quick, few)

    @property
    def differs(self) -> bool:
        """Whether the two differ: decided, and 1 lies outside the interval."""
        return self.decided and not self.low <= 1 <= self.high


def without_nan(numbers: Floats) -> list[float | None]:
    """Return one of the arrays as a list: None for NaN, where nothing is known."""
    return [None if number != number else number for number in numbers.tolist()]  # noqa: PLR0124 - NaN alone


@functools.cache
def ranks(count: int) -> Ranks:
    """Return the ranks whose interval is the narrowest that reaches 95 %, or the widest where none does.

    Raises ValueError when *count* is not positive.
    """
    if count < 1:
        msg = f"an interval needs at least one value, not {count}"
        raise ValueError(msg)
    low, tail = 1, 1  # tail / 2**count is the probability that fewer than `low` values lie below the median
    while low < (count + 1) // 2:
        wider = tail + math.comb(count, low)
        if _coverage(wider, count) < COVERAGE_WANTED:
            break
        low, tail = low + 1, wider
    return Ranks(low, count + 1 - low, _coverage(tail, count))


def _coverage(tail: int, count: int) -> float:
    ways = 1 << count
    return (ways - 2 * tail) / ways


def median_interval(values: Sequence[float]) -> Interval:
    """Return the median of *values* (finite, in any order) and its interval.

    Raises ValueError when there is none.
    """
    chosen, ordered = ranks(len(values)), sorted(values)
    middle, even = divmod(len(ordered), 2)
    median = (ordered[middle - 1] + ordered[middle]) / 2 if not even else ordered[middle]
    low, high = ordered[chosen.low - 1], ordered[chosen.high - 1]
    return Interval(float(median), float(low), float(high), chosen.coverage, len(ordered))


def median_intervals(many: Sequence[Sequence[float]]) -> Intervals:
    """Return what `median_interval` says of each of *many* series, which may be empty.

    Series of one length are sorted together, as the rows of one array: that is what makes thousands of them cheap.
    """
    lengths = np.fromiter(map(len, many), dtype=np.int64, count=len(many))
    median, low, high, coverage, minimum, maximum = np.full((6, len(many)), np.nan)
    for count in np.unique(lengths[lengths > 0]).tolist():
        where = np.flatnonzero(lengths == count)
        ordered = np.sort(np.array([many[index] for index in where.tolist()], dtype=np.float64), axis=1)
        chosen = ranks(count)
        median[where] = (ordered[:, (count - 1) // 2] + ordered[:, count // 2]) / 2
        low[where] = ordered[:, chosen.low - 1]
        high[where] = ordered[:, chosen.high - 1]
        coverage[where] = chosen.coverage
        minimum[where] = ordered[:, 0]
        maximum[where] = ordered[:, -1]
    return Intervals(median, low, high, coverage, minimum, maximum, lengths)


def paired_ratios(candidate_by_round: Mapping[int, float], baseline_by_round: Mapping[int, float]) -> list[float]:
    """Return candidate / baseline for each round that has both, in the order of the candidate's rounds.

    Empty when any of these rounds has a baseline that is not above 0 or a candidate below 0: leaving out only those
    rounds would choose among the measurements.
    """
    ratios = []
    for number, value in candidate_by_round.items():
        base = baseline_by_round.get(number)
        if base is None:
            continue
        if base <= 0 or value < 0:
            return []
        ratios.append(value / base)
    return ratios


def compare(candidate_by_round: Mapping[int, float], baseline_by_round: Mapping[int, float]) -> Comparison | None:
    """Compare two series of one block by the values of each round; None when there is no pair with a ratio."""
    return comparison(paired_ratios(candidate_by_round, baseline_by_round))


def comparison(ratios: Sequence[float]) -> Comparison | None:
    """Compare by ratios that are paired already; None when there is none."""
    if not ratios:
        return None
    interval = median_interval(ratios)
    return Comparison.of(interval, decided=interval.count >= FEWEST_PAIRS)


def percentile(ordered: Sequence[float], percent: float) -> float:
    """Return a percentile of values that are in ascending order, as Apache Bench computes it.

    That is the value of rank floor(n percent / 100) + 1, counted from 1, and the largest for 100: always one of the
    values, never between two. (Textbooks' nearest rank is ceil(n percent / 100): one lower where n percent / 100 is
    whole. With 120 requests the 50 % here is the 61st value, as on ab's own page.)

    Raises ValueError when there is no value or *percent* is not within 0 to 100.
    """
    if not ordered or not 0 <= percent <= 100:  # noqa: PLR2004 - per cent
        msg = f"no {percent} % of {len(ordered)} values"
        raise ValueError(msg)
    return ordered[min(int(len(ordered) * percent / 100), len(ordered) - 1)]
