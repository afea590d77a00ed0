"""Where intervals lie to what is expected, exact sign tests, and the rate of false discoveries."""

from __future__ import annotations

import itertools
import math
import random

import pytest

from generate.claims.bounds import Bounds, Signs, all_of, discoveries
from generate.statistics.intervals import median_interval

BELOW_ONE = Bounds(-math.inf, 1.0)
ABOVE_ONE = Bounds(1.0, math.inf)
ALIKE = Bounds(0.9, 1.1)


@pytest.mark.parametrize(
    ("region", "low", "high", "place"),
    [
        (BELOW_ONE, 0.7, 0.9, "inside"),
        (BELOW_ONE, 1.1, 1.3, "outside"),
        (BELOW_ONE, 0.9, 1.1, "across"),
        (BELOW_ONE, 0.9, 1.0, "across"),
        (ABOVE_ONE, 1.1, 1.3, "inside"),
        (ABOVE_ONE, 0.7, 0.9, "outside"),
        (ABOVE_ONE, 0.9, 1.1, "across"),
        (ALIKE, 0.95, 1.05, "inside"),
        (ALIKE, 1.2, 1.3, "outside"),
        (ALIKE, 0.5, 0.8, "outside"),
        (ALIKE, 0.95, 1.15, "across"),
        (ALIKE, 0.5, 1.5, "across"),
        (ALIKE, 0.9, 1.05, "across"),
    ],
)
def test_a_place_is_where_the_whole_interval_lies(region: Bounds, low: float, high: float, place: str) -> None:
    assert region.place(low, high) == place


def test_a_number_without_noise_may_lie_on_an_end() -> None:
    assert Bounds(99_999, 99_999).holds(99_999)
    assert not Bounds(99_999, 99_999).holds(99_998)
    assert ALIKE.holds(0.9)


def test_a_sign_test_is_exact() -> None:
    ten_of_twelve = [0.5] * 10 + [1.5] * 2
    ways = sum(math.comb(12, heads) for heads in (10, 11, 12))
    assert BELOW_ONE.signs(ten_of_twelve) == Signs(ways / 2**12, 1 - sum(math.comb(12, k) for k in (0, 1)) / 2**12)
    assert BELOW_ONE.signs(ten_of_twelve).either == 2 * ways / 2**12


def test_values_on_the_bound_count_for_neither_side() -> None:
    assert BELOW_ONE.signs([1.0] * 12) == Signs(1.0, 1.0)


def test_no_difference_needs_both_sides() -> None:
    inside, outside = ALIKE.signs([1.0] * 10 + [1.2] * 2)
    assert inside == sum(math.comb(12, heads) for heads in (10, 11, 12)) / 2**12
    assert outside > 0.9
    assert ALIKE.signs([1.2] * 12).outside == 1 / 2**12


@pytest.mark.parametrize("region", [BELOW_ONE, ABOVE_ONE, ALIKE])
@pytest.mark.parametrize("count", [9, 12, 15, 20])
def test_the_interval_and_the_sign_test_say_the_same(region: Bounds, count: int) -> None:
    draw = random.Random(count)  # noqa: S311 - made-up values
    for centre in (0.8, 0.95, 1.0, 1.05, 1.2):
        values = [centre + draw.gauss(0, 0.1) for _ in range(count)]
        interval, signs = median_interval(values), region.signs(values)
        place = region.place(interval.low, interval.high)
        assert (place == "inside") == (signs.inside <= 0.025)
        assert (place == "outside") == (signs.outside <= 0.025)


def test_a_claim_of_several_steps_needs_them_all_and_is_refuted_by_any() -> None:
    assert all_of([Signs(0.001, 0.9), Signs(0.02, 0.8)]) == Signs(0.02, 1.0)
    assert all_of([Signs(0.9, 0.001), Signs(0.02, 0.8)]) == Signs(0.9, 0.002)


def test_discoveries_are_those_of_benjamini_and_hochberg() -> None:
    probabilities = [0.001, 0.008, 0.039, 0.041, 0.042, 0.060, 0.074, 0.205, 0.212, 0.216]
    assert discoveries(probabilities) == [True, True] + [False] * 8
    assert discoveries([0.041, 0.001, 0.042, 0.03]) == [True] * 4
    assert discoveries([0.9, 0.2]) == [False, False]
    assert discoveries([]) == []


def test_of_discoveries_about_nothing_few_are_made() -> None:
    """Twenty claims whose truth lies on the bound: any decision is wrong, and at most 5 % of cells make one."""
    draw = random.Random(1)  # noqa: S311 - made-up values
    wrong = 0
    for _ in range(400):
        probabilities = [BELOW_ONE.signs([1 + draw.gauss(0, 1) for _ in range(12)]).either for _ in range(20)]
        wrong += any(discoveries(probabilities))
    assert wrong / 400 <= 0.05


def test_every_place_can_be_reached_by_every_kind_of_region() -> None:
    places = {"inside", "outside", "across"}
    intervals = [(low, low + width) for low, width in itertools.product((0.1, 0.85, 0.95, 1.3), (0.02, 0.4))]
    for region in (BELOW_ONE, ABOVE_ONE, ALIKE):
        assert {region.place(*interval) for interval in intervals} == places
