"""The rule for few rounds: its interval, what it says nothing of, and how seldom it is wrong."""

from __future__ import annotations

import math
import random
from itertools import pairwise

import pytest
from scipy import stats

from generate.statistics.intervals import Comparison
from generate.statistics.noise import Finding, finding_of, wider
from generate.statistics.quick import NO_BLOCK, STUDENT, BlockNoise, block_noise, log_variance, quick_interval, speaks


def test_student_s_numbers_are_those_of_scipy() -> None:
    assert [*STUDENT] == [3, 4, 5, 6, 7, 8]
    for count, number in STUDENT.items():
        assert number == pytest.approx(stats.t.ppf(0.975, count - 1), abs=1e-6)


def test_with_no_noise_but_its_own_it_is_student_s_interval_of_the_logarithms() -> None:
    ratios = [1.9, 2.0, 2.3]
    logarithms = [math.log(ratio) for ratio in ratios]
    expected = stats.t.interval(0.95, 2, loc=sum(logarithms) / 3, scale=stats.sem(logarithms))
    found = quick_interval(ratios, NO_BLOCK)
    assert (math.log(found.low), math.log(found.high)) == pytest.approx(expected)
    assert (found.median, found.is_quick) == (2.0, True)


def test_three_values_that_happen_to_agree_get_the_noise_of_their_block() -> None:
    alike = [1.1, 1.1, 1.1]
    assert quick_interval(alike, NO_BLOCK).low == pytest.approx(1.1)
    assert quick_interval(alike, block_noise([[0.8, 1.0, 1.25], alike])).low < 1


def test_a_pair_noisier_than_its_block_counts_by_its_degrees_of_freedom() -> None:
    block = BlockNoise(0.01, 6)
    assert block.with_own(0.05, 2) == pytest.approx((6 * 0.01 + 2 * 0.05) / 8)
    assert block.with_own(0.001, 2) == 0.01
    ratios = [1.0, 2.0, 4.0]
    reach = STUDENT[3] * math.sqrt((6 * 0.01 + 2 * math.log(2) ** 2) / 8 / 3)
    assert quick_interval(ratios, block).high == pytest.approx(2 * math.exp(reach))


def test_the_noise_of_a_block_is_the_mean_of_its_pairs_with_the_degrees_of_freedom_of_all() -> None:
    found = block_noise([[1.0, math.e], [1.0, 1.0, 1.0]])
    assert found.variance == pytest.approx((0.5 + 0) / 2)
    assert found.degrees == 1 + 2


@pytest.mark.parametrize("ratios", [[1.0, 2.0], [0.0, 1.0, 2.0], [2.0] * 9])
def test_it_says_nothing_of_two_of_what_has_no_logarithm_and_of_what_order_statistics_decide(
    ratios: list[float],
) -> None:
    assert not speaks(ratios)


def test_a_pair_without_a_spread_says_nothing_of_its_block() -> None:
    assert (log_variance([2.0]), log_variance([0.0, 1.0])) == (None, None)
    assert block_noise([[2.0], []]) == NO_BLOCK


def test_few_rounds_never_show_that_there_is_no_difference() -> None:
    control = Comparison(0.99, 0.9, 1.1, 0.95, 3, decided=True, quick=True)
    assert finding_of(of_three(0.9, 1.1), control) is Finding.UNDECIDED


def test_the_median_of_few_rounds_has_to_leave_the_control_s_median_and_that_of_many_its_interval() -> None:
    control = Comparison(0.9, 0.8, 1.0, 0.95, 3, decided=True, quick=True)  # as far as 1.11 is, and up to 1.25
    assert finding_of(of_three(1.02, 1.18), control) is Finding.INSIDE
    assert finding_of(of_three(1.02, 1.3), control) is Finding.BEYOND
    many = Comparison(1.16, 1.02, 1.3, 0.96, 12, decided=True)
    assert finding_of(many, control) is Finding.INSIDE


def test_a_second_control_counts_where_its_median_lies_farther_from_1() -> None:
    control = Comparison(1.02, 1.0, 1.04, 0.95, 3, decided=True, quick=True)
    second = Comparison(0.8, 0.7, 0.9, 0.95, 3, decided=True, quick=True)
    assert finding_of(of_three(1.05, 1.35), control) is Finding.BEYOND
    for both in (wider(control, second), wider(second, control)):
        assert (both.ratio, both.low, both.high) == (0.8, 0.7, 1.04)
        assert finding_of(of_three(1.05, 1.35), both) is Finding.INSIDE


def of_three(low: float, high: float) -> Comparison:
    return Comparison((low + high) / 2, low, high, 0.95, 3, decided=True, quick=True)


def test_like_with_like_is_told_apart_as_seldom_as_the_interval_says() -> None:
    drawn = random.Random(1)  # noqa: S311 - the same noise each time
    pairs = [[[math.exp(drawn.gauss(0, 0.03)) for _ in range(3)] for _ in range(6)] for _ in range(500)]
    found = [quick_interval(ratios, block_noise(block)) for block in pairs for ratios in block]
    assert sum(not interval.low <= 1 <= interval.high for interval in found) / len(found) < 0.02
    assert all(low <= high for low, high in pairwise((found[0].low, found[0].median, found[0].high)))
