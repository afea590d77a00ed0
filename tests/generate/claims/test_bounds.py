"""Where intervals lie to what is expected."""

from __future__ import annotations

import math
import random

import pytest

from generate.claims.kinds import Bounds
from generate.statistics.intervals import median_interval
from generate.statistics.sign_tests import sign_test

BELOW_ONE = Bounds(-math.inf, 1.0)
ABOVE_ONE = Bounds(1.0, math.inf)
ALIKE = Bounds(0.9, 1.1)


@pytest.mark.parametrize(
    ("bounds", "low", "high", "position"),
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
def test_a_position_is_where_the_whole_interval_lies(bounds: Bounds, low: float, high: float, position: str) -> None:
    assert bounds.position(low, high) == position


def test_a_number_without_noise_may_lie_on_an_end() -> None:
    assert Bounds(99_999, 99_999).holds(99_999)
    assert not Bounds(99_999, 99_999).holds(99_998)
    assert ALIKE.holds(0.9)
    assert ALIKE.position(0.9, 0.9) == "inside"
    assert ALIKE.position(0.8, 0.8) == "outside"


@pytest.mark.parametrize("bounds", [BELOW_ONE, ABOVE_ONE, ALIKE])
@pytest.mark.parametrize("count", [9, 12, 15, 20])
def test_the_interval_and_the_sign_test_say_the_same(bounds: Bounds, count: int) -> None:
    draw = random.Random(count)  # noqa: S311 - made-up values
    for centre in (0.8, 0.95, 1.0, 1.05, 1.2):
        values = [centre + draw.gauss(0, 0.1) for _ in range(count)]
        interval, test = median_interval(values), sign_test(values, *bounds)
        position = bounds.position(interval.low, interval.high)
        assert (position == "inside") == (test.inside <= 0.025)
        assert (position == "outside") == (test.outside <= 0.025)
