"""How a number, its range and a comparison are worded. Nothing else words a ratio.

One number, one range, answer first: "1.4 times as fast (1.3 to 1.6)". A ratio is candidate / baseline of raw values,
and is worded as 1 or more: of a time that is 0.7 of another, "1.4 times as fast"; of one that is 1.4 times another,
"takes 1.4 times as long". "1.4 times slower" and "40 % faster" are never written: readers take them two ways.
"""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Literal

from generate.words.units import DURATION, unit_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generate.data.estimates import Estimate
    from generate.words.units import Kind

Outcome = Literal["less", "more", "same", "undecided"]
"""What a ratio comes to."""
NOT_MEASURED = "not measured"
NO_RANGE = "one round: no range"
SAME = 1.05
"""A ratio whose whole range lies within this factor of 1 is no difference."""
SURE = 0.01
"""A range this narrow, as a share of its number, supports a third digit."""
SURE_OF_ONE = 0.05
"""The same of a number that begins with 1."""
NEAR_ONE = 1.095
"""Below this ratio two decimals are written: 1.07, since 1.1 would say another thing."""
SIGNIFICANT = 3
"""Digits of a value without a range."""
TWO_DIGITS = 10
"""Ratios from here on need no point."""
NO_BREAK = "\N{NO-BREAK SPACE}"
"""Between a number and its unit, so that no line breaks there."""
NEARLY_ALL = 90
"""Per cent above which a share is given with a decimal: there it tells coverages apart."""


@functools.lru_cache(maxsize=10_000)  # tables, their words and other pages ask for the same amounts
def format_value(amount: float | None, unit: str, digits: int = SIGNIFICANT) -> str:
    """Write *amount* of a metric's unit: "1.31 s", "14.2 µs", "42.9 per second", "17,300 per second", "99,999".

    So many significant *digits*; whole counts and bytes exactly, since they may be what was asked for. An unknown unit
    is written as it is. None is "not measured".
    """
    if amount is None:
        return NOT_MEASURED
    known = unit_of(unit)
    smallest = known.scales[0 if amount == 0 and known.kind is DURATION else -1]
    fitting = (
        scale for scale in known.scales if abs(round_digits(amount / scale.size, digits)) >= 1
    )  # 999.9 ms is 1.00 s
    scale = next(fitting, smallest)
    number = amount / scale.size
    if math.isinf(number):
        written = "beyond measure"
    elif number == 0 or (known.is_whole and number == round(number)):
        written = f"{round(number):,}"
    else:
        written = _count(number) if known.is_whole else _significant(number, digits)
    sign = "byte" if scale.sign == "bytes" and written == "1" else scale.sign
    return f"{written}{NO_BREAK}{sign}" if sign else written


def _significant(number: float, digits: int = SIGNIFICANT) -> str:
    """Write a number with so many significant digits: 0.551, 12.4, 1,240, 17,300."""
    kept = round_digits(number, digits)
    size = math.floor(math.log10(abs(kept)))
    return f"{number:,.{digits - 1 - size}f}" if size < digits else f"{kept:,.0f}"


def _count(number: float) -> str:
    """Write the median of counts, with all digits before the point."""
    return f"{number:,.0f}" if abs(number) >= 10**SIGNIFICANT else _significant(number)


def round_digits(number: float, digits: int = SIGNIFICANT) -> float:
    """Return *number* with so many significant digits; without a point where it is whole, as data are shorter so."""
    kept = float(f"{number:.{digits}g}")
    return int(kept) if kept.is_integer() else kept


def count_digits(estimate: Estimate) -> int:
    """Return how many digits an estimate's range supports: two, or three if it is narrow.

    A number that begins with 1 has its third digit sooner: 105 ms is not 110 ms.
    """
    if estimate.scale == "exact" or estimate.low == estimate.high:
        return SIGNIFICANT
    begins_with_one = f"{estimate.value:e}"[0] == "1"
    most = SURE_OF_ONE if begins_with_one else SURE
    is_sure = estimate.has_range and estimate.high - estimate.low <= 2 * most * abs(estimate.value)
    return SIGNIFICANT if is_sure else 2


def format_estimate(estimate: Estimate | None, unit: str) -> str:
    """Write an estimate's number in a metric's unit: "1.3 s", "34 per second"."""
    return NOT_MEASURED if estimate is None else format_value(estimate.value, unit, count_digits(estimate))


def format_range(estimate: Estimate | None, unit: str) -> str:
    """Write an estimate's range: "1.2 to 1.5 s"; empty if it is narrower than the number's last digit."""
    if estimate is None:
        return ""
    if not estimate.has_range:
        return NO_RANGE
    digits = count_digits(estimate)
    written = format_bounds(estimate.low, estimate.high, unit, digits)
    return "" if written == format_value(estimate.value, unit, digits) else written


def format_another(estimate: Estimate, unit: str) -> str:
    """Write the range of one further run."""
    return format_bounds(estimate.another_low, estimate.another_high, unit, 2) if estimate.has_range else NO_RANGE


def format_with_range(estimate: Estimate | None, unit: str) -> str:
    """Write an estimate with its range: "1.3 s (1.2 to 1.5 s)"."""
    return _aside(format_estimate(estimate, unit), format_range(estimate, unit))


def format_bounds(low: float, high: float, unit: str, digits: int = SIGNIFICANT) -> str:
    """Write two bounds in one unit if they allow it: "1.29 to 1.34 s"; else "980 ms to 1.02 s". Equal ones are one."""
    below, above = format_value(low, unit, digits), format_value(high, unit, digits)
    if below == above:
        return above
    number, _, sign = below.partition(NO_BREAK)
    has_same_sign = low == 0 or sign == above.partition(NO_BREAK)[2]
    return f"{number if has_same_sign else below} to {above}"


def format_ratio(ratio: float) -> str:
    """Write a ratio with two digits, near 1 with two decimals: 0.55, 0.93, 1.07, 1.4, 17,000. Not 1 never reads 1."""
    if ratio == 0:
        return "0"
    if math.isinf(ratio):
        return "infinitely many"
    if 1 / NEAR_ONE < ratio < NEAR_ONE:
        finer = (f"{ratio:.{decimals}f}" for decimals in (2, 3, 4))
        return next((written for written in finer if float(written) != 1), "1.00")
    return _significant(ratio, 2)


def format_ratio_with_range(estimate: Estimate) -> str:
    """Write a ratio as a bare number with its range: "1.4 (1.3 to 1.6)", for tables."""
    return _aside(_ratio_value(estimate), _ratio_range(estimate) if estimate.has_range else NO_RANGE)


def describe(ratio: Estimate | None, kind: Kind) -> str:
    """Say how a candidate compares with its baseline. Three outcomes only.

    A difference with its direction, "1.4 times as fast (1.3 to 1.6)"; "no difference (within 5 %)"; or
    "undecided (1.08 times as long to 1.2 times as fast)".
    """
    if ratio is None or ratio.low == ratio.high == 1:
        return describe_briefly(ratio, kind)
    if not ratio.has_range:
        return _aside(describe_briefly(ratio, kind), NO_RANGE)
    asides = {"same": f"within {format_share(SAME - 1)}", "undecided": describe_range(ratio, kind)}
    return _aside(describe_briefly(ratio, kind), asides.get(outcome(ratio)) or _ratio_range(_from_one_up(ratio)))


def describe_briefly(ratio: Estimate | None, kind: Kind) -> str:
    """Say the same without the range, for running text."""
    if ratio is None:
        return NOT_MEASURED
    words = {"same": "no difference", "undecided": "undecided" if ratio.has_range else ""}
    return words.get(outcome(ratio)) or describe_ratio(ratio.value, kind)


def outcome(ratio: Estimate) -> Outcome:
    """Return what `say` makes of a ratio."""
    if ratio.is_within(SAME):
        return "same"
    if not ratio.differs:
        return "undecided"
    return "less" if ratio.value < 1 else "more"


def _from_one_up(ratio: Estimate) -> Estimate:
    return ratio.inverse if 0 < ratio.value < 1 else ratio


def describe_ratio(ratio: float, kind: Kind) -> str:
    """Say a ratio alone: "1.4 times as fast", "takes 1.4 times as long", "a rate lower by a factor of 1.4"."""
    return describe_ratios([ratio], kind)


def describe_ratios(ratios: Sequence[float], kind: Kind) -> str:
    """Say several ratios, their unit once if all are on one side: "1.4, 1.5 times as fast"."""
    if all(0 < ratio < 1 for ratio in ratios):
        return f"{kind.noun} {kind.less}".lstrip().format(", ".join(format_ratio(1 / ratio) for ratio in ratios))
    if all(ratio >= 1 or ratio == 0 for ratio in ratios):
        return kind.more.format(", ".join(format_ratio(ratio) for ratio in ratios))
    return ", ".join(describe_ratio(ratio, kind) for ratio in ratios).replace(f", {kind.noun} ", ", ")


def describe_range(ratio: Estimate, kind: Kind) -> str:
    """Say a range whose ends may lie on both sides of 1: "1.08 times as long to 1.2 times as fast"."""
    if ratio.low < 1 < ratio.high:
        ends = describe_ratio(ratio.high, kind), describe_ratio(ratio.low, kind).removeprefix(f"{kind.noun} ")
        return " to ".join(ends).removeprefix("takes ")
    above = _from_one_up(ratio)
    low, high = format_ratio(above.low), format_ratio(above.high)
    words = kind.more if above is ratio else f"{kind.noun} {kind.less}".lstrip()
    return words.format(low if low == high else f"{low} to {high}").removeprefix("takes ")


def _ratio_range(ratio: Estimate) -> str:
    decimals = len(_ratio_value(ratio).partition(".")[2])
    low, high = (_bound(end, decimals) for end in (ratio.low, ratio.high))
    return "" if low == high else f"{low} to {high}"


def _ratio_value(ratio: Estimate) -> str:
    """Write the ratio itself; near 1, a wide range around 1 supports two decimals."""
    is_wide = ratio.has_range and ratio.low < 1 - SURE and ratio.high > 1 + SURE
    return f"{ratio.value:.2f}" if is_wide and 1 / NEAR_ONE < ratio.value < NEAR_ONE else format_ratio(ratio.value)


def _bound(ratio: float, decimals: int) -> str:
    """Write a bound with the decimals of its ratio, unless it would read 0 or 1."""
    written = f"{ratio:.{decimals}f}"
    has_own_digits = ratio >= TWO_DIGITS or float(written) in {0, 1}
    return format_ratio(ratio) if has_own_digits else written


def _aside(text: str, aside: str) -> str:
    return f"{text} ({aside})" if aside else text


def format_per_cent(ratio: float) -> str:
    """Write a part of a whole with two significant digits: "93 %", "2.5 %"."""
    return f"{_significant(100 * ratio, 2)}{NO_BREAK}%" if ratio else f"0{NO_BREAK}%"


def abbreviate_rate(text: str) -> str:
    """Write a rate as tables have room for: "42.9/s"."""
    return text.replace(f"{NO_BREAK}per second", "/s")


def count_noun(number: int, noun: str) -> str:
    """Write a number of things: "1 round", "12 rounds"."""
    return f"{number:,} {noun}{'s' if number != 1 else ''}"


def format_share(share: float) -> str:
    """Write a share of 1 as per cent: "96.1 %" for a coverage, "54 %" for an efficiency, "0.22 %" where it is small."""
    number = share * 100
    if 0 < number < 1:
        return f"{number:.2g}{NO_BREAK}%"
    digits = 1 if number > NEARLY_ALL and number != round(number) else 0
    return f"{number:.{digits}f}{NO_BREAK}%"
