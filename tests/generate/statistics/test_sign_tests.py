"""Exact sign tests and the rate of false discoveries, held to scipy."""

from __future__ import annotations

import math
import random

import pytest
from scipy import stats

from generate.statistics.intervals import COVERAGE_WANTED, median_interval
from generate.statistics.sign_tests import SignTest, all_of, discoveries, sign_test

INF = math.inf


def normal(count: int, centre: float = 1.0) -> list[float]:
    draw = random.Random(f"{count} {centre}")  # noqa: S311 - made-up values
    return [centre + draw.gauss(0, 0.1) for _ in range(count)]


@pytest.mark.parametrize("count", [1, 6, 9, 12, 15, 20, 100])
@pytest.mark.parametrize("centre", [0.85, 1.0, 1.2])
def test_a_sign_test_is_scipy_s_binomial_test(count: int, centre: float) -> None:
    values = normal(count, centre)
    above, below = sum(value > 1 for value in values), sum(value < 1 for value in values)
    is_above = stats.binomtest(above, count, 0.5, alternative="greater").pvalue
    is_below = stats.binomtest(below, count, 0.5, alternative="greater").pvalue
    assert [*sign_test(values, 1, INF)] == pytest.approx([is_above, is_below], rel=1e-9)
    assert [*sign_test(values, -INF, 1)] == pytest.approx([is_below, is_above], rel=1e-9)


def test_inside_two_bounds_needs_both_and_outside_either() -> None:
    values = [1.0] * 10 + [1.2] * 2
    inside, outside = sign_test(values, 0.9, 1.1)
    assert inside == pytest.approx(stats.binomtest(10, 12, 0.5, alternative="greater").pvalue)
    assert outside > 0.9
    assert sign_test([1.2] * 12, 0.9, 1.1).outside == 1 / 2**12
    assert sign_test([0.8] * 12, 0.9, 1.1).outside == 1 / 2**12


def test_values_on_the_bound_count_for_neither_side() -> None:
    assert sign_test([1.0] * 12, -INF, 1.0) == SignTest(1.0, 1.0)


def test_a_decision_of_either_kind_is_twice_as_likely_by_chance() -> None:
    assert SignTest(0.01, 0.9).either == 0.02
    assert SignTest(0.9, 0.7).either == 1.0


@pytest.mark.parametrize("count", [6, 9, 12, 15, 20, 51])
def test_a_median_s_interval_is_the_one_of_scipy_s_quantile_test(count: int) -> None:
    values = normal(count)
    found, theirs = median_interval(values), stats.quantile_test(values, p=0.5)
    interval = theirs.confidence_interval(confidence_level=COVERAGE_WANTED)
    assert (found.low, found.high) == (interval.low, interval.high)


def test_several_medians_need_them_all_and_are_refuted_by_any() -> None:
    assert all_of([SignTest(0.001, 0.9), SignTest(0.02, 0.8)]) == SignTest(0.02, 1.0)
    assert all_of([SignTest(0.9, 0.001), SignTest(0.02, 0.8)]) == SignTest(0.9, 0.002)


@pytest.mark.parametrize("count", [1, 2, 10, 60])
def test_discoveries_are_those_of_scipy_s_control(count: int) -> None:
    draw = random.Random(count)  # noqa: S311 - made-up values
    for _ in range(50):
        probabilities = [draw.random() ** 4 for _ in range(count)]
        adjusted = stats.false_discovery_control(probabilities, method="bh")
        assert discoveries(probabilities) == [bool(p <= 0.05) for p in adjusted]


def test_of_no_tests_none_may_decide() -> None:
    assert discoveries([]) == []
    assert discoveries([0.9, 0.2]) == [False, False]


def test_of_discoveries_about_nothing_few_are_made() -> None:
    """Twenty claims whose truth lies on the bound: any decision is wrong, and at most 5 % of cells make one."""
    draw = random.Random(1)  # noqa: S311 - made-up values
    wrong = 0
    for _ in range(400):
        tests = [sign_test([1 + draw.gauss(0, 1) for _ in range(12)], -INF, 1.0) for _ in range(20)]
        wrong += any(discoveries([test.either for test in tests]))
    assert wrong / 400 <= 0.05
