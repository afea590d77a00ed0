"""Scales of bars and axes."""

import pytest

from generate.charts.scale import Scale, short


def test_a_bar_begins_at_zero() -> None:
    scale = Scale.for_values([10.0, 20.0], [25.0])
    assert [scale.percent(amount) for amount in (0, 12.5, 25.0, 99.0)] == [0, 50, 100, 100]


def test_medians_far_apart_are_drawn_on_a_log_scale() -> None:
    scale = Scale.for_values([1.0, 100.0], [1.1, 100.0])
    assert scale.log
    assert [scale.percent(amount) for amount in (1.0, 10.0, 100.0, 0.0)] == [0, 50, 100, 0]


@pytest.mark.parametrize(
    ("scale", "ticks"),
    [
        (Scale(0.0, 1.2, log=False), [0, 0.25, 0.5, 0.75, 1.0]),
        (Scale(0.0, 99_999.0, log=False), [0, 20e3, 40e3, 60e3, 80e3, 100e3]),
        (Scale(0.0, 100.0, log=False), [0, 20, 40, 60, 80, 100]),
        (Scale(1.0, 2_000.0, log=True), [1, 10, 100, 1_000]),
        (Scale(1.0, 1e12, log=True), [1, 1e3, 1e6, 1e9, 1e12]),
    ],
)
def test_an_axis_names_few_round_numbers(scale: Scale, ticks: list[float]) -> None:
    assert scale.ticks() == pytest.approx(ticks)


def test_a_range_far_out_is_cut_off_and_every_value_shown() -> None:
    assert Scale.for_values([10.0, 20.0], [1_000.0]) == Scale(0.0, 40.0, log=False)
    assert Scale.for_values([10.0, 20.0], [25.0]) == Scale(0.0, 25.0, log=False)
    assert Scale.for_values([0.0], [5.0]) == Scale(0.0, 5.0, log=False)
    assert Scale.for_values([1.0, 1_000.0], [0.001, 5_000.0]) == Scale(0.1, 2_000.0, log=True)


@pytest.mark.parametrize("medians", [[], [0.0], [0.0, 5.0], [3.0]])
def test_every_scale_has_a_length(medians: list[float]) -> None:
    assert 0 <= Scale.for_values(medians, []).percent(1.0) <= 100


@pytest.mark.parametrize(("amount", "expected"), [(0.0, 0.0), (123456.7, 123460.0), (0.00123456, 0.0012346)])
def test_charts_keep_five_digits(amount: float, expected: float) -> None:
    assert short(amount) == expected
