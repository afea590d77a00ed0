"""The rule for few rounds: its interval, what it says nothing of, and how seldom it is wrong."""

from __future__ import annotations

import math
import random
from itertools import pairwise

import pytest
from scipy import stats

from generate.statistics.intervals import Comparison
from generate.statistics.noise import Finding, finding_of
from generate.statistics.quick import STUDENT, block_variance, log_variance, quick_interval, speaks


def test_student_s_numbers_are_those_of_scipy() -> None:
    assert [*STUDENT] == [3, 4, 5, 6, 7, 8]
    for count, number in STUDENT.items():
        assert number == pytest.approx(stats.t.ppf(0.975, count - 1), abs=1e-6)


def test_with_no_noise_but_its_own_it_is_student_s_interval_of_the_logarithms() -> None:
    ratios = [1.9, 2.0, 2.3]
    logarithms = [math.log(ratio) for ratio in ratios]
    expected = stats.t.interval(0.95, 2, loc=sum(logarithms) / 3, scale=stats.sem(logarithms))
    found = quick_interval(ratios, 0.0)
    assert (math.log(found.low), math.log(found.high)) == pytest.approx(expected)
    assert (found.median, found.is_quick) == (2.0, True)


def test_three_values_that_happen_to_agree_get_the_noise_of_their_block() -> None:
    alike = [1.1, 1.1, 1.1]
    assert quick_interval(alike, 0.0).low == pytest.approx(1.1)
    assert quick_interval(alike, block_variance([[0.8, 1.0, 1.25], alike])).low < 1


@pytest.mark.parametrize("ratios", [[1.0, 2.0], [0.0, 1.0, 2.0], [2.0] * 9])
def test_it_says_nothing_of_two_of_what_has_no_logarithm_and_of_what_order_statistics_decide(
    ratios: list[float],
) -> None:
    assert not speaks(ratios)


def test_a_pair_without_a_spread_says_nothing_of_its_block() -> None:
    assert (log_variance([2.0]), log_variance([0.0, 1.0])) == (None, None)
    assert block_variance([[2.0], []]) == 0.0


def test_few_rounds_never_show_that_there_is_no_difference() -> None:
    control = Comparison(1.0, 0.9, 1.1, 0.95, 3, decided=True, quick=True)
    for low, high, finding in (
        (0.9, 1.1, "not decided"),
        (1.05, 1.1, "median inside the noise"),
        (1.2, 1.4, "beyond the noise"),
    ):
        ratio = (low + high) / 2
        assert finding_of(Comparison(ratio, low, high, 0.95, 3, decided=True, quick=True), control) == Finding(finding)


def test_like_with_like_is_told_apart_as_seldom_as_the_interval_says() -> None:
    drawn = random.Random(1)  # noqa: S311 - the same noise each time
    pairs = [[[math.exp(drawn.gauss(0, 0.03)) for _ in range(3)] for _ in range(6)] for _ in range(500)]
    found = [quick_interval(ratios, block_variance(block)) for block in pairs for ratios in block]
    assert sum(not interval.low <= 1 <= interval.high for interval in found) / len(found) < 0.02
    assert all(low <= high for low, high in pairwise((found[0].low, found[0].median, found[0].high)))
