"""The statistics against exact enumeration, and against simulation with a fixed seed."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from generate.statistics.intervals import (
    Comparison,
    compare,
    comparison,
    median_interval,
    median_intervals,
    paired_ratios,
    percentile,
    ranks,
)
from generate.statistics.noise import beyond_noise, noise_band, smallest_detectable


@pytest.mark.parametrize("count", [*range(1, 40), 199])
def test_the_ranks_are_the_narrowest_that_reach_95_per_cent_and_the_coverage_is_scipy_s(count: int) -> None:
    chosen = ranks(count)
    outer, inner = (1 - 2 * stats.binom.cdf(low - 1, count, 0.5) for low in (chosen.low, chosen.low + 1))
    assert chosen.low + chosen.high == count + 1
    assert chosen.coverage == pytest.approx(outer, abs=1e-12)
    assert inner < 0.95
    assert chosen.coverage >= 0.95 or chosen.low == 1


def test_ranks_of_no_values_are_an_error() -> None:
    with pytest.raises(ValueError, match="at least one value, not 0"):
        ranks(0)
    with pytest.raises(ValueError, match="at least one value"):
        median_interval([])


@pytest.mark.parametrize("count", [9, 12, 15, 20])
def test_in_simulation_the_interval_holds_the_median_of_a_skewed_distribution_as_often_as_it_says(count: int) -> None:
    draws = np.random.default_rng(20).lognormal(0.0, 1.0, size=(20_000, count))
    found = median_intervals(draws.tolist())
    held = np.mean((found.low <= 1.0) & (found.high >= 1.0))
    assert held == pytest.approx(ranks(count).coverage, abs=0.005)


def test_the_median_of_an_even_number_is_the_mean_of_the_middle_two_and_of_an_odd_number_the_middle_one() -> None:
    assert median_interval([4, 1, 3, 2]).median == 2.5
    assert median_interval([9, 1, 3]).median == 3
    assert median_interval([7]) == median_interval([7.0])


def test_many_series_at_once_give_what_each_gives_alone() -> None:
    source = np.random.default_rng(1)
    many = [source.normal(5, 2, size=count).tolist() for count in (1, 2, 3, 9, 12, 12, 20, 7)] + [[]]
    together = median_intervals(many)
    for index, values in enumerate(many[:-1]):
        alone = median_interval(values)
        assert together.median[index] == alone.median
        assert (together.low[index], together.high[index]) == (alone.low, alone.high)
        assert together.coverage[index] == alone.coverage
        assert (together.minimum[index], together.maximum[index]) == (min(values), max(values))
    assert together.count.tolist() == [len(values) for values in many]
    assert math.isnan(together.median[-1])
    assert math.isnan(together.coverage[-1])
    assert median_intervals([]).median.shape == (0,)


def test_ratios_are_paired_by_round_and_a_round_that_one_lacks_is_left_out() -> None:
    assert paired_ratios({1: 2.0, 2: 9.0, 4: 8.0}, {4: 4.0, 1: 1.0, 3: 5.0}) == [2.0, 2.0]


@pytest.mark.parametrize(("value", "base"), [(1.0, 0.0), (1.0, -2.0), (-1.0, 2.0)])
def test_a_round_without_a_meaningful_ratio_leaves_no_comparison_rather_than_a_chosen_one(
    value: float, base: float
) -> None:
    assert compare({1: 1.0, 2: value}, {1: 1.0, 2: base}) is None


def test_pairing_removes_the_drift_that_both_share() -> None:
    drift = {number: 1.0 + number for number in range(1, 13)}
    found = compare({number: 2 * value for number, value in drift.items()}, drift)
    assert found == Comparison(2.0, 2.0, 2.0, ranks(12).coverage, 12, decided=True)
    assert found.differs


@pytest.mark.parametrize(("pairs", "decided"), [(1, False), (3, False), (8, False), (9, True), (12, True)])
def test_fewer_than_nine_pairs_never_decide(pairs: int, decided: bool) -> None:  # noqa: FBT001 - a parameter
    found = comparison([2.0] * pairs)
    assert found is not None
    assert found.decided is decided
    assert found.differs is decided


def test_an_interval_that_holds_one_is_no_difference_even_when_decided() -> None:
    found = comparison([0.9, 0.95, 0.97, 0.99, 1.0, 1.01, 1.02, 1.05, 1.1])
    assert found is not None
    assert found.decided
    assert not found.differs


def test_no_pair_is_no_comparison() -> None:
    assert compare({1: 1.0}, {2: 1.0}) is None
    assert comparison([]) is None


def test_the_noise_band_is_symmetric_whichever_way_the_control_was_divided() -> None:
    there = Comparison(1.03, 0.99, 1.06, 0.96, 12, decided=True)
    back = Comparison(1 / 1.03, 1 / 1.06, 1 / 0.99, 0.96, 12, decided=True)
    assert noise_band(there) == pytest.approx(noise_band(back))
    assert noise_band(there) == pytest.approx((1 / 1.06, 1.06))


def test_a_difference_inside_the_control_s_spread_is_not_beyond_noise() -> None:
    control = Comparison(1.0, 0.93, 1.02, 0.96, 12, decided=True)
    assert not beyond_noise(Comparison(1.05, 1.03, 1.08, 0.96, 12, decided=True), control)
    assert beyond_noise(Comparison(1.3, 1.2, 1.4, 0.96, 12, decided=True), control)
    assert beyond_noise(Comparison(0.7, 0.6, 0.8, 0.96, 12, decided=True), control)
    assert not beyond_noise(Comparison(1.3, 1.2, 1.4, 0.75, 3, decided=False), control)
    assert not beyond_noise(Comparison(1.3, 1.2, 1.4, 0.96, 12, decided=True), None)


def test_a_difference_of_the_smallest_detectable_size_is_seen_in_nine_runs_of_ten_and_a_third_of_it_is_not() -> None:
    source = np.random.default_rng(3)
    control_ratios = source.lognormal(0, 0.05, size=(2_000, 12))
    smallest = np.median([high / low for low, high in _bounds(control_ratios)])
    assert 1.05 < smallest < 1.12
    seen = [low > 1 for low, _ in _bounds(smallest * source.lognormal(0, 0.05, size=(2_000, 12)))]
    seen_of_third = [low > 1 for low, _ in _bounds(smallest ** (1 / 3) * source.lognormal(0, 0.05, size=(2_000, 12)))]
    assert np.mean(seen) > 0.9
    assert np.mean(seen_of_third) < 0.5


def _bounds(rows: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> list[tuple[float, float]]:
    found = median_intervals(rows.tolist())
    return list(zip(found.low.tolist(), found.high.tolist(), strict=True))


def test_the_smallest_detectable_difference_is_the_width_of_the_control_s_interval() -> None:
    assert smallest_detectable(Comparison(1.0, 0.9, 1.08, 0.96, 12, decided=True)) == pytest.approx(1.2)
    assert smallest_detectable(Comparison(1.0, 0.0, 1.08, 0.96, 12, decided=True)) is None


@pytest.mark.parametrize(
    ("count", "percent", "expected"),
    [(120, 50, 61), (120, 66, 80), (120, 99, 119), (120, 100, 120), (1, 50, 1), (10, 0, 1), (1000, 99.9, 1000)],
)
def test_a_percentile_is_the_value_at_apache_bench_s_rank(count: int, percent: float, expected: int) -> None:
    assert percentile(list(range(1, count + 1)), percent) == expected


@pytest.mark.parametrize(("values", "percent"), [([], 50), ([1.0], -1), ([1.0], 101)])
def test_a_percentile_of_nothing_or_beyond_the_scale_is_an_error(values: list[float], percent: float) -> None:
    with pytest.raises(ValueError, match=r"no .* % of"):
        percentile(values, percent)
