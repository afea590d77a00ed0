"""The rule by which few rounds decide directions: whether a ratio lies above or below a bound, never how far. Pure.

Three paired ratios have no order statistics to speak of: from the least to the greatest covers 75 %. Their logarithms
are close to normal, though, and all pairs of a block meet the same minutes of the machine. So the interval is Student's
about the mean logarithm. Its variance is that of the block's pairs, or a larger one where the pair is noisier than its
block: its own then counts by its degrees of freedom, of which three values have two, beside all those of the block.
Blocks are never pooled with each other: their spreads lie a hundredfold apart. `make validate` prints how often it is
wrong.
"""

from __future__ import annotations

import math
from statistics import fmean, median, variance
from typing import TYPE_CHECKING, NamedTuple

from generate.statistics.intervals import FEWEST_PAIRS, Interval

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FEWEST = 3
"""Pairs below which not even a direction is decided."""
COVERAGE = 0.95
STUDENT = {3: 4.302653, 4: 3.182446, 5: 2.776445, 6: 2.570582, 7: 2.446912, 8: 2.364624}
"""Student's t that 97.5 % lie below, by the number of values: of one degree of freedom less."""


class BlockNoise(NamedTuple):
    """How far the paired ratios of a block scatter: what the rule needs to know of the pairs beside the judged one."""

    variance: float
    """Of the ratios' logarithms, the mean over the pairs; 0 where there is none."""
    degrees: int
    """Degrees of freedom of all pairs together: a pair has one less than ratios."""

    def with_own(self, variance_of_pair: float, degrees: int) -> float:
        """Return the variance to judge a pair by: the block's, or more where the pair is noisier than the block."""
        both = self.degrees * self.variance + degrees * variance_of_pair
        return max(self.variance, both / (self.degrees + degrees))


NO_BLOCK = BlockNoise(0.0, 0)


def log_variance(ratios: Sequence[float]) -> float | None:
    """Return the variance of the ratios' logarithms; None of fewer than two, or where one has no logarithm."""
    if len(ratios) < 2 or min(ratios) <= 0:  # noqa: PLR2004 - a variance needs two
        return None
    return variance(map(math.log, ratios))


def block_noise(of_block: Iterable[Sequence[float]]) -> BlockNoise:
    """Return the noise of a block of which these are the paired ratios, those of the judged pair among them."""
    found = [(spread, len(ratios) - 1) for ratios in of_block if (spread := log_variance(ratios)) is not None]
    return BlockNoise(fmean(spread for spread, _ in found), sum(each for _, each in found)) if found else NO_BLOCK


def is_few(pairs: int) -> bool:
    """Say whether the rule is for so many *pairs*: from nine on order statistics speak."""
    return FEWEST <= pairs < FEWEST_PAIRS


def speaks(ratios: Sequence[float]) -> bool:
    """Say whether the rule has an interval for *ratios*: they are few, and each has a logarithm."""
    return is_few(len(ratios)) and min(ratios) > 0


def quick_interval(ratios: Sequence[float], of_block: BlockNoise) -> Interval:
    """Return where the true ratio lies, of *ratios* for which the rule speaks, by the noise *of_block*."""
    logarithms = [math.log(ratio) for ratio in ratios]
    center, count = fmean(logarithms), len(ratios)
    reach = STUDENT[count] * math.sqrt(of_block.with_own(variance(logarithms), count - 1) / count)
    bounds = math.exp(center - reach), math.exp(center + reach)
    return Interval(median(ratios), *bounds, COVERAGE, count, is_quick=True)
