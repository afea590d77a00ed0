"""Numbers, ranges and comparisons in words, in every direction."""

import math
import re

import pytest

from generate.data.estimates import Estimate, RunValue, fixed
from generate.words.numbers import (
    NO_BREAK,
    abbreviate_rate,
    count_noun,
    describe,
    describe_briefly,
    describe_ratio,
    describe_ratios,
    format_another,
    format_bounds,
    format_estimate,
    format_per_cent,
    format_range,
    format_ratio,
    format_ratio_with_range,
    format_share,
    format_value,
    format_with_range,
)
from generate.words.patterns import NO_RANGE, NOT_MEASURED
from generate.words.units import AMOUNT, COUNT, DURATION, LATE, MEMORY, RATE, Kind

RUNS = (RunValue("second", 1.0, 6, 0.0), RunValue("first", 1.0, 6, 0.0))


def estimated(value: float, low: float, high: float) -> Estimate:
    return Estimate(value, low, high, low / 2, high * 2, RUNS)


def plain(text: str) -> str:
    return text.replace(NO_BREAK, " ")


@pytest.mark.parametrize(
    ("amount", "unit", "written"),
    [
        (0.4, "ns", "0.400 ns"),
        (7_200e9, "ns", "7,200 s"),
        (-3_200_000, "ns", "-3.20 ms"),
        (17_282.4, "per_s", "17,300 per second"),
        (17_282.5, "count", "17,282"),
        (0.56455, "ratio", "56.5 %"),
        (0.0089, "ratio", "0.890 %"),
        (1, "bytes", "1 byte"),
        (math.inf, "ns", "beyond measure s"),
        (None, "ns", NOT_MEASURED),
    ],
)
def test_values_have_three_digits_in_a_fitting_unit(amount: float | None, unit: str, written: str) -> None:
    assert plain(format_value(amount, unit)) == written


def test_bounds_share_their_unit_if_they_can() -> None:
    assert plain(format_bounds(1_290_000_000, 1_340_000_000, "ns")) == "1.29 to 1.34 s"
    assert plain(format_bounds(980_000_000, 1_020_000_000, "ns")) == "980 ms to 1.02 s"
    assert plain(format_bounds(0, 5_000_000, "ns")) == "0 to 5.00 ms"
    assert format_bounds(3, 3, "count") == "3"


@pytest.mark.parametrize(
    ("estimate", "unit", "written"),
    [
        (estimated(1.31e9, 1.22e9, 1.49e9), "ns", "1.3 s (1.2 to 1.5 s)"),
        (estimated(1.314e9, 1.303e9, 1.321e9), "ns", "1.31 s (1.30 to 1.32 s)"),
        (estimated(34.02, 33.99, 34.04), "per_s", "34.0 per second"),
        (Estimate(4, 3, 5, 3, 5, RUNS, "exact"), "count", "4 (3 to 5)"),
        (Estimate(4, 4, 4, 4, 4, RUNS, "exact"), "count", "4"),
        (estimated(3e9, 0, math.inf), "ns", f"3.0 s ({NO_RANGE})"),
        (None, "ns", NOT_MEASURED),
    ],
)
def test_estimate_has_the_digits_its_range_supports(estimate: Estimate | None, unit: str, written: str) -> None:
    assert plain(format_with_range(estimate, unit)) == written
    assert written.startswith(plain(format_estimate(estimate, unit)))
    assert plain(format_range(estimate, unit)) in written


def test_another_run_has_its_own_range() -> None:
    assert plain(format_another(estimated(1e9, 0.9e9, 1.1e9), "ns")) == "450 ms to 2.2 s"
    assert format_another(estimated(1e9, 0, math.inf), "ns") == NO_RANGE


@pytest.mark.parametrize(
    ("ratio", "kind", "words"),
    [
        (estimated(0.55, 0.51, 0.58), DURATION, "1.8 times as fast (1.7 to 2.0)"),
        (estimated(1.4, 1.3, 1.6), DURATION, "takes 1.4 times as long (1.3 to 1.6)"),
        (estimated(1.85, 1.8, 1.94), RATE, "1.9 times as many per second (1.8 to 1.9)"),
        (estimated(1.06, 1.02, 1.098), DURATION, "takes 1.06 times as long (1.02 to 1.10)"),
        (estimated(1.1, 1.06, 1.14), DURATION, "takes 1.1 times as long"),
        (estimated(0.8, 0.75, 0.9), RATE, "a rate lower by a factor of 1.2 (1.1 to 1.3)"),
        (estimated(2.3, 2.3, 2.3), MEMORY, "2.3 times the memory"),
        (estimated(1.0, 0.98, 1.03), DURATION, "no difference (within 5 %)"),
        (estimated(1.2, 0.83, 1.6), DURATION, "undecided (1.6 times as long to 1.2 times as fast)"),
        (estimated(1.3, 0.0, math.inf), DURATION, f"takes 1.3 times as long ({NO_RANGE})"),
        (fixed(1.0), DURATION, "no difference"),
        (Estimate(0, 0, 0, 0, 0, RUNS, "exact"), COUNT, "0 times as many"),
        (Estimate(2, 2, 3, 2, 3, RUNS[:1], "exact"), COUNT, "undecided (2.0 to 3.0 times as many)"),
        (None, DURATION, NOT_MEASURED),
    ],
)
def test_comparison_is_one_or_more_with_one_range(ratio: Estimate | None, kind: Kind, words: str) -> None:
    assert plain(describe(ratio, kind)) == words
    assert words.startswith(plain(describe_briefly(ratio, kind)))


@pytest.mark.parametrize("kind", [DURATION, MEMORY, RATE, COUNT, AMOUNT, *LATE.values()])
def test_no_ratio_in_words_is_below_one(kind: Kind) -> None:
    for ratio in (1.03**step for step in range(-120, 120)):
        texts = [describe_ratio(ratio, kind), describe(estimated(ratio, ratio / 1.2, ratio * 1.2), kind)]
        numbers = re.findall(r"\d[\d,.]*", " ".join(texts))
        assert all(float(number.replace(",", "")) >= 1 for number in numbers), texts


def test_larger_ratio_is_never_a_smaller_number() -> None:
    written = [float(format_ratio(1.01**step).replace(",", "")) for step in range(-700, 700)]
    assert written == sorted(written)


@pytest.mark.parametrize("width", [0.0001, 0.0009, 0.004, 0.03])
def test_no_ratio_lies_outside_its_own_range(width: float) -> None:
    for middle in (1.01**step for step in range(-300, 300)):
        low, ratio, high = (float(format_ratio(middle * (1 + shift)).replace(",", "")) for shift in (-width, 0, width))
        assert low <= ratio <= high
        assert "1.00" not in {format_ratio(middle * (1 + shift)) for shift in (-width, width)}


@pytest.mark.parametrize(
    ("ratios", "kind", "words"),
    [
        ([2.0], LATE["delay"], "2.0 times the delay"),
        ([0.0], COUNT, "0 times as many"),
        ([1.4, 1.5], DURATION, "takes 1.4, 1.5 times as long"),
        ([0.5, 0.25], LATE["delay"], "a delay lower by a factor of 2.0, 4.0"),
        ([0.5, 2], RATE, "a rate lower by a factor of 2.0, 2.0 times as many per second"),
        ([2, 0.5], RATE, "2.0 times as many per second, lower by a factor of 2.0"),
    ],
)
def test_ratios_share_their_words(ratios: list[float], kind: Kind, words: str) -> None:
    assert describe_ratios(ratios, kind) == words


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (format_ratio_with_range(estimated(1.5, 1.4, 1.6)), "1.5 (1.4 to 1.6)"),
        (format_ratio_with_range(estimated(1.5, 1.5, 1.5)), "1.5"),
        (format_ratio_with_range(estimated(1.0002, 0.93, 1.08)), "1.00 (0.93 to 1.08)"),
        (format_ratio(0), "0"),
        (format_ratio(math.inf), "infinitely many"),
        (format_per_cent(0.025), "2.5 %"),
        (format_share(0.9614), "96.1 %"),
        (format_share(0.5449), "54 %"),
        (format_share(0.0022), "0.22 %"),
        (count_noun(0, "round"), "0 rounds"),
        (abbreviate_rate(format_value(42.9, "per_s")), "42.9/s"),
    ],
)
def test_numbers_in_tables(written: str, text: str) -> None:
    assert plain(written) == text
