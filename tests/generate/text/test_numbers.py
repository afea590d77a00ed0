"""Numbers and comparisons in words, in every direction. Of finite ones more are in javascript/vectors.json."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from generate.statistics.intervals import Comparison
from generate.text.numbers import (
    NO_BREAK,
    NOT_MEASURED,
    counted,
    format_bound,
    format_interval,
    format_range,
    format_ratio,
    format_share,
    format_spread,
    format_value,
    ordinal,
    per_cent,
    ratio_words,
    say,
    unturned,
)
from generate.text.over_runs import OverRuns
from generate.text.units import DURATION, kind_of


def decided(ratio: float, low: float, high: float) -> Comparison:
    return Comparison(ratio, low, high, 0.961, 12, decided=True)


@pytest.mark.parametrize(
    ("amount", "unit", "written"),
    [
        (0.4, "ns", "0.400 ns"),
        (7_200e9, "ns", "7,200 s"),
        (-3_200_000, "ns", "-3.20 ms"),
        (17_282.4, "per_s", "17,300 per second"),
        (17_282, "count", "17,282"),
        (17_282.5, "count", "17,282"),
        (999.6, "per_s", "1,000 per second"),
        (0.56455, "ratio", "56.5 %"),
        (0.0089, "ratio", "0.890 %"),
        (1e30, "ns", "1,000,000,000,000,000,000,000 s"),
        (math.inf, "ns", "beyond measure s"),
        (None, "ns", NOT_MEASURED),
    ],
)
def test_a_value_is_written_with_three_digits_in_the_unit_that_suits_it(
    amount: float | None, unit: str, written: str
) -> None:
    assert format_value(amount, unit).replace(NO_BREAK, " ") == written


@pytest.mark.parametrize(
    ("low", "high", "unit", "written"),
    [
        (1_290_000_000, 1_340_000_000, "ns", "1.29 to 1.34 s"),
        (980_000_000, 1_020_000_000, "ns", "980 ms to 1.02 s"),
        (0, 5_000_000, "ns", "0 to 5.00 ms"),
        (3, 3, "count", "3"),
        (41.2, 43.0, "per_s", "41.2 to 43.0 per second"),
        (0.0512, 0.644, "ratio", "5.12 to 64.4 %"),
        (None, 1, "ns", NOT_MEASURED),
    ],
)
def test_an_interval_shares_its_unit_where_it_can(
    low: float | None, high: float | None, unit: str, written: str
) -> None:
    assert format_interval(low, high, unit).replace(NO_BREAK, " ") == written


def test_a_longer_ratio_is_never_written_as_a_smaller_number() -> None:
    written = [float(format_ratio(1.01**step).replace(",", "")) for step in range(-700, 700)]
    assert written == sorted(written)


@pytest.mark.parametrize("width", [0.0001, 0.0009, 0.004, 0.03])
def test_no_ratio_stands_outside_its_own_interval(width: float) -> None:
    for middle in (1.01**step for step in range(-300, 300)):
        low, ratio, high = (float(format_bound(middle * (1 + shift)).replace(",", "")) for shift in (-width, 0, width))
        assert low <= ratio <= high
        assert "1.00" not in {format_bound(middle * (1 + shift)) for shift in (-width, width)}


def test_a_median_whose_bounds_lie_on_both_sides_of_one_has_three_digits_and_no_more() -> None:
    assert ratio_words(1.0003, 0.997, 1.0032) == "1.00 (0.997 to 1.003)"
    assert ratio_words(1.0021, 1.0012, 1.0032) == "1.002 (1.001 to 1.003)"


@pytest.mark.parametrize(("share", "written"), [(0.93, "93.0 %"), (0.4721, "47.2 %"), (1, "100 %"), (0.0123, "1.23 %")])
def test_a_part_of_an_ideal_has_three_digits_whatever_stands_beside_it(share: float, written: str) -> None:
    assert per_cent(share).replace(NO_BREAK, " ") == written


def test_a_range_that_says_nothing_is_left_out() -> None:
    assert format_range(40, 40, "count") == ""
    assert format_range(1_290_000_000, 1_340_000_000, "ns").replace(NO_BREAK, " ") == "1.29 to 1.34 s"
    assert format_range(None, None, "ns") == NOT_MEASURED
    assert ratio_words(1.5, 1.5, 1.5) == "1.50"
    assert ratio_words(1.5, 1.4, 1.6) == "1.50 (1.40 to 1.60)"
    assert say(decided(0.5, 0.5, 0.5), DURATION) == "2.00 times as fast"


def test_what_a_quick_run_decides_says_so_and_of_few_rounds_of_another_how_many() -> None:
    quick = replace(decided(0.5, 0.4, 0.6), pairs=3, quick=True)
    assert say(quick, DURATION) == "2.00 times as fast (1.67 to 2.50, quick run)"
    assert say(replace(quick, pairs=6, few=True), DURATION) == "2.00 times as fast (1.67 to 2.50, 6 rounds)"


def test_speeds_are_given_in_one_direction_whether_two_differ_or_not() -> None:
    assert say(decided(0.9, 0.8, 0.95), DURATION) == "1.11 times as fast (1.05 to 1.25)"
    assert say(decided(0.9, 0.8, 1.02), DURATION) == "no difference seen (0.980 to 1.25 times as fast)"


@pytest.mark.parametrize(
    ("ratio", "metric", "said"),
    [
        (2.0, "heartbeat_worst_delay_ns", "2.00 times the delay"),
        (0.5, "mean_latency_ns", "0.500 of the latency"),
        (0.5, "elapsed_ns", "takes 0.500 of the time"),
        (1.0, "elapsed_ns", "takes 1.00 times as long"),
    ],
)
def test_a_ratio_can_be_said_unturned_and_to_be_late_is_not_to_be_slow(ratio: float, metric: str, said: str) -> None:
    assert unturned(ratio, kind_of(metric, "ns", "lower")) == said


@pytest.mark.parametrize(
    ("compared", "unit", "better", "said"),
    [
        (decided(0.55, 0.53, 0.58), "ns", "lower", "1.82 times as fast (1.72 to 1.89)"),
        (decided(2.0, 1.9, 2.1), "ns", "lower", "takes 2.00 times as long (1.90 to 2.10)"),
        (decided(1.85, 1.8, 1.9), "per_s", "higher", "1.85 times as many per second (1.80 to 1.90)"),
        (decided(0.5, 0.4, 0.6), "per_s", "higher", "0.500 of the rate (0.400 to 0.600)"),
        (decided(0.5, 0.4, 0.6), "bytes", "lower", "needs 0.500 of the memory (0.400 to 0.600)"),
        (decided(0.05, 0.04, 0.06), "bytes", "lower", f"needs 5.00{NO_BREAK}% of the memory (4.00 to 6.00{NO_BREAK}%)"),
        (decided(0.05, 0.05, 0.05), "bytes", "lower", f"needs 5.00{NO_BREAK}% of the memory"),
        (decided(0.05, 0.04, 0.06), "count", "lower", f"5.00{NO_BREAK}% of the number (4.00 to 6.00{NO_BREAK}%)"),
        (decided(3.0, 2.9, 3.1), "bytes", "lower", "needs 3.00 times the memory (2.90 to 3.10)"),
        (decided(3.0, 2.9, 3.1), "count", "lower", "3.00 times as many (2.90 to 3.10)"),
        (decided(0.3, 0.2, 0.4), "ns", "neither", "0.300 times as much (0.200 to 0.400)"),
        (decided(1.4, 1.3, 1.5), "ratio", "higher", "1.40 times as much (1.30 to 1.50)"),
        (decided(0.0, 0.0, 0.0), "ns", "lower", f"takes 0{NO_BREAK}% of the time"),
        (decided(0.001, 0.0, 0.002), "ns", "lower", f"takes 0.100{NO_BREAK}% of the time (0 to 0.200{NO_BREAK}%)"),
        (decided(1.0, 0.97, 1.0003), "ns", "lower", "no difference seen (0.9997 to 1.03 times as fast)"),
        (None, "ns", "lower", NOT_MEASURED),
    ],
)
def test_a_difference_is_said_right_in_every_direction(
    compared: Comparison | None, unit: str, better: str, said: str
) -> None:
    assert say(compared, kind_of("x", unit, better)) == said


@pytest.mark.parametrize(
    ("compared", "unit", "runs", "said"),
    [
        (decided(0.5, 0.4, 0.625), "ns", (0.32, 0.5), "2.00 times as fast (1.60 to 2.50; 2.00 to 3.12 in 5 runs)"),
        (decided(0.5, 0.4, 0.625), "ns", (0.5, 0.5), "2.00 times as fast (1.60 to 2.50)"),
        (decided(0.5, 0.4, 0.625), "ns", (0.4, 0.625), "2.00 times as fast (1.60 to 2.50)"),
        (decided(2.0, 1.9, 2.1), "ns", (1.8, 2.05), "takes 2.00 times as long (1.90 to 2.10; 1.80 to 2.05 in 5 runs)"),
        (decided(2.0, 2.0, 2.0), "count", (1.9, 2.0), "2.00 times as many (1.90 to 2.00 in 5 runs)"),
        (decided(2.0, 2.0, 2.0), "count", (1.9999, 2.0), "2.00 times as many"),
        (
            decided(0.05, 0.04, 0.06),
            "bytes",
            (0.05, 0.07),
            f"needs 5.00{NO_BREAK}% of the memory (4.00 to 6.00{NO_BREAK}%; 5.00 to 7.00{NO_BREAK}% in 5 runs)",
        ),
        (
            decided(0.9, 0.8, 1.25),
            "ns",
            (0.8, 2.0),
            "no difference seen (0.800 to 1.25 times as fast; 0.500 to 1.25 in 5 runs)",
        ),
        (
            decided(0.9, 0.8, 1.25),
            "ns",
            (0.8, 0.95),
            "not clear in this run (0.800 to 1.25 times as fast; faster in each of 5 runs, 1.05 to 1.25)",
        ),
        (
            decided(1.1, 0.8, 1.25),
            "ns",
            (1.05, 1.25),
            "not clear in this run (0.800 to 1.25 times as fast; slower in each of 5 runs, 0.800 to 0.952)",
        ),
        (
            decided(0.9, 0.8, 1.25),
            "count",
            (0.8, 0.95),
            "not clear in this run (0.800 to 1.25; below 1 in each of 5 runs, 0.800 to 0.950)",
        ),
        (
            decided(0.9, 0.0, 1.25),
            "ns",
            (0.8, 0.95),
            "not clear in this run (0 to 1.25; below 1 in each of 5 runs, 0.800 to 0.950)",
        ),
        (
            decided(1.0, 0.9, 1.25),
            "count",
            (0.8, 1.1),
            "no difference seen (0.900 to 1.25; 0.800 to 1.10 in 5 runs)",
        ),
    ],
)
def test_what_several_runs_had_follows_the_bounds_where_that_reads_otherwise(
    compared: Comparison, unit: str, runs: tuple[float, float], said: str
) -> None:
    assert say(compared, kind_of("x", unit, "lower"), runs=OverRuns(5, *runs, outside=0)) == said


@pytest.mark.parametrize(
    ("runs", "said"),
    [
        (OverRuns(4, 1 / 1.55, 1 / 1.37, outside=3), "1.37 to 1.55 in 4 runs, the other 3 outside the first range"),
        (OverRuns(4, 1 / 1.55, 1 / 1.37, outside=2), "1.37 to 1.55 in 4 runs"),
        (OverRuns(2, 1 / 1.55, 1 / 1.37, outside=1), "1.37 to 1.55 in 2 runs"),
    ],
)
def test_a_number_with_which_no_other_of_several_runs_agrees_is_said_to_be_alone(runs: OverRuns, said: str) -> None:
    compared = decided(1 / 1.55, 1 / 1.63, 1 / 1.5)
    assert say(compared, kind_of("x", "ns", "lower"), runs=runs) == f"1.55 times as fast (1.50 to 1.63; {said})"


@pytest.mark.parametrize(("of_runs", "said"), [((0.9, 1.01), ""), ((0.9, 0.97), " in this run")])
def test_what_noise_alone_does_as_much_is_of_this_run_where_all_lie_on_one_side(
    of_runs: tuple[float, float], said: str
) -> None:
    noise = decided(1.0, 0.9, 1.1)
    words = say(decided(0.95, 0.92, 0.98), DURATION, noise, OverRuns(5, *of_runs, outside=0))
    assert words.endswith(f", but noise alone does as much{said}")


def test_how_many_runs_lie_outside_is_counted_by_the_interval_that_is_quoted() -> None:
    found = OverRuns.of([1.0, 1.05, 1.2], 0.9, 1.1)
    assert found == OverRuns(3, 1.0, 1.2, outside=1)
    assert not found.are_all_outside
    assert OverRuns.of([1.0], 0.9, 1.1) is None


def test_too_few_pairs_say_so_and_only_lean() -> None:
    leaning = Comparison(0.5, 0.4, 0.6, 0.75, 3, decided=False)
    assert say(leaning, DURATION) == (
        "too few pairs to decide (3 pairs); it leans to: 2.00 times as fast (1.67 to 2.50)"
    )
    single = Comparison(1.0, 1.0, 1.0, 0.0, 1, decided=False)
    assert say(single, DURATION) == "too few pairs to decide (1 pair: 1.00 times as fast)"


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 rounds"), (1, "1 round"), (12, "12 rounds"), (4000, "4,000 rounds")]
)
def test_a_number_of_things_has_the_right_ending(number: int, said: str) -> None:
    assert counted(number, "round") == said


@pytest.mark.parametrize(
    ("share", "written"),
    [(0.9614, "96.1 %"), (0.75, "75 %"), (1.0, "100 %"), (0.5449, "54 %"), (0.0022, "0.22 %"), (0.0, "0 %")],
)
def test_shares_are_written_as_per_cent(share: float, written: str) -> None:
    assert format_share(share).replace(NO_BREAK, " ") == written


@pytest.mark.parametrize(("share", "written"), [(0.0042, "0.4 %"), (0.0421, "4.2 %"), (0.152, "15 %"), (1.5, "150 %")])
def test_by_what_share_values_differ_has_a_decimal_below_ten_per_cent(share: float, written: str) -> None:
    assert format_spread(share).replace(NO_BREAK, " ") == written


def test_of_a_difference_inside_the_noise_that_is_said() -> None:
    slower, noise = decided(0.95, 0.89, 0.99), decided(1.0, 0.93, 1.07)
    assert say(slower, DURATION, noise) == "1.05 times as fast (1.01 to 1.12), but noise alone does as much"
    assert say(slower, DURATION).startswith("1.05 times as fast")
    reaching = say(decided(1.4, 1.05, 1.6), DURATION, noise)
    assert reaching == "takes 1.40 times as long (1.05 to 1.60), which reaches into the noise"
    assert say(decided(0.5, 0.49, 0.51), DURATION, noise).startswith("2.00 times as fast")


def test_a_place_is_written_as_people_say_it() -> None:
    places = (1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 111)
    said = ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "23rd", "111th"]
    assert [ordinal(place) for place in places] == said


def test_ratios_of_runs_are_turned_though_one_is_0() -> None:
    assert OverRuns(3, 0.0, 0.5, 0).turned() == OverRuns(3, 2.0, math.inf, 0)
