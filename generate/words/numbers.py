"""Formats numbers, their ranges and comparisons. Every ratio is worded here.

One number, one range, answer first: "1.4 times as fast (1.3 to 1.6)". A ratio is candidate / baseline of raw values,
and is worded as 1 or more: a ratio of times of 0.7 reads "1.4 times as fast", and one of 1.4 "takes 1.4 times as
long". "1.4 times slower" and "40 % faster" are never written: readers take them two ways.
"""

import functools
import math
from collections.abc import Sequence
from typing import Literal

from generate.data.estimates import Estimate
from generate.words import patterns
from generate.words.units import DURATION, Kind, find_unit

Outcome = Literal["less", "more", "same", "undecided"]
SAME = 1.05
"""A ratio whose range is within this factor of 1 counts as no difference."""
SURE = 0.01
"""A range this narrow, as a share of its number, supports a third digit."""
SURE_OF_ONE = 0.05
"""The same for a number that begins with 1: 105 ms is not 110 ms."""
NEAR_ONE = 1.095
"""Ratios below this have two decimals: 1.07, since 1.1 would mean something else."""
SIGNIFICANT = 3
TWO_DIGITS = 10
NO_BREAK = "\N{NO-BREAK SPACE}"
"""Between a number and its unit, so that no line breaks there."""
NEARLY_ALL = 0.9
"""Larger shares have a decimal, to tell coverages apart."""


@functools.lru_cache(maxsize=10_000)  # tables and pages repeat the same amounts
def format_value(amount: float | None, unit: str, digits: int = SIGNIFICANT) -> str:
    """Format "1.31 s", "14.2 µs", "42.9 per second", "17,300 per second"; integral counts and bytes exactly."""
    if amount is None:
        return patterns.NOT_MEASURED
    known = find_unit(unit)
    smallest = known.scales[0 if amount == 0 and known.kind is DURATION else -1]
    fitting = (scale for scale in known.scales if abs(round_digits(amount / scale.size, digits)) >= 1)  # 999.9 ms: 1 s
    scale = next(fitting, smallest)
    number = amount / scale.size
    if math.isinf(number):
        written = patterns.BEYOND_MEASURE
    elif number == 0 or (known.is_integral and number.is_integer()):
        written = f"{number:,.0f}"
    elif known.is_integral and abs(number) >= (10**SIGNIFICANT if scale.sign else TWO_DIGITS):
        written = f"{number:,.0f}"  # a median of counts keeps all digits before the point
    else:
        written = _significant(number, SIGNIFICANT if known.is_integral else digits)
    sign = "byte" if scale.sign == "bytes" and written == "1" else scale.sign
    return f"{written}{NO_BREAK}{sign}" if sign else written


def _significant(number: float, digits: int) -> str:
    kept = round_digits(number, digits)
    size = math.floor(math.log10(abs(kept)))
    return f"{number:,.{digits - 1 - size}f}" if size < digits else f"{kept:,.0f}"


def round_digits(number: float, digits: int) -> float:
    """Round *number* to significant digits; an int if possible, which makes files shorter."""
    kept = float(f"{number:.{digits}g}")
    return int(kept) if kept.is_integer() else kept


def _count_digits(estimate: Estimate) -> int:
    """Return how many digits an estimate's range supports: two, or three if it is narrow."""
    if estimate.scale == "exact" or estimate.low == estimate.high:
        return SIGNIFICANT
    widest = SURE_OF_ONE if f"{estimate.value:e}"[0] == "1" else SURE
    is_sure = estimate.has_range and estimate.high - estimate.low <= 2 * widest * abs(estimate.value)
    return SIGNIFICANT if is_sure else 2


def format_estimate(estimate: Estimate | None, unit: str) -> str:
    """Format an estimate's number: "1.3 s", "34 per second"."""
    return format_value(estimate.value, unit, _count_digits(estimate)) if estimate else patterns.NOT_MEASURED


def format_range(estimate: Estimate | None, unit: str) -> str:
    """Format an estimate's range: "1.2 to 1.5 s"; empty if it is narrower than the number's last digit."""
    if estimate is None:
        return ""
    if not estimate.has_range:
        return patterns.NO_RANGE
    digits = _count_digits(estimate)
    written = format_bounds(estimate.low, estimate.high, unit, digits)
    return "" if written == format_value(estimate.value, unit, digits) else written


def format_another(estimate: Estimate, unit: str) -> str:
    """Format the range of one further run."""
    ends = estimate.another_low, estimate.another_high
    return format_bounds(*ends, unit, 2) if estimate.has_range else patterns.NO_RANGE


def format_with_range(estimate: Estimate | None, unit: str) -> str:
    """Format an estimate with its range: "1.3 s (1.2 to 1.5 s)"."""
    return _with_range(format_estimate(estimate, unit), format_range(estimate, unit))


def format_bounds(low: float, high: float, unit: str, digits: int = SIGNIFICANT) -> str:
    """Format two bounds in one unit if possible: "1.29 to 1.34 s", else "980 ms to 1.02 s"; equal ones once."""
    below, above = format_value(low, unit, digits), format_value(high, unit, digits)
    if below == above:
        return above
    number, _, sign = below.partition(NO_BREAK)
    has_same_sign = low == 0 or sign == above.partition(NO_BREAK)[2]
    return patterns.RANGE.format(number if has_same_sign else below, above)


def format_ratio(ratio: float) -> str:
    """Format 0.55, 0.93, 1.07, 1.4, 17,000: two digits, near 1 two decimals. Only exactly 1 reads 1.00."""
    if ratio == 0:
        return "0"
    if math.isinf(ratio):
        return "infinitely many"
    if 1 / NEAR_ONE < ratio < NEAR_ONE:
        finer = (f"{ratio:.{decimals}f}" for decimals in (2, 3, 4))
        return next((written for written in finer if float(written) != 1), "1.00")
    return _significant(ratio, 2)


def format_ratio_with_range(estimate: Estimate) -> str:
    """Format a ratio as a bare number with its range, for tables: "1.4 (1.3 to 1.6)"."""
    return _with_range(_ratio_value(estimate), _ratio_range(estimate) if estimate.has_range else patterns.NO_RANGE)


def describe(ratio: Estimate | None, kind: Kind) -> str:
    """Describe how a candidate compares with a baseline: "1.4 times as fast (1.3 to 1.6)".

    Without a difference "no difference (within 5 %)"; else "undecided (1.1 times as long to 1.2 times as fast)".
    """
    words = describe_briefly(ratio, kind)
    if ratio is None or ratio.low == ratio.high == 1:
        return words
    if not ratio.has_range:
        return _with_range(words, patterns.NO_RANGE)
    asides = {"same": patterns.WITHIN.format(format_share(SAME - 1)), "undecided": describe_range(ratio, kind)}
    return _with_range(words, asides.get(outcome(ratio)) or _ratio_range(_from_one_up(ratio)))


def describe_briefly(ratio: Estimate | None, kind: Kind) -> str:
    """Describe a comparison without its range, for running text."""
    if ratio is None:
        return patterns.NOT_MEASURED
    if outcome(ratio) == "same":
        return patterns.NO_DIFFERENCE
    is_open = outcome(ratio) == "undecided" and ratio.has_range
    return patterns.UNDECIDED if is_open else describe_ratio(ratio.value, kind)


def outcome(ratio: Estimate) -> Outcome:
    if ratio.is_within(SAME):
        return "same"
    if not ratio.differs:
        return "undecided"
    return "less" if ratio.value < 1 else "more"


def describe_ratio(ratio: float, kind: Kind) -> str:
    """Describe a ratio without a range: "takes 1.4 times as long", "a rate lower by a factor of 1.4"."""
    return describe_ratios([ratio], kind)


def describe_ratios(ratios: Sequence[float], kind: Kind, separator: str = ", ") -> str:
    """Describe several ratios, with their unit only once if all are on one side of 1: "1.4, 1.5 times as fast"."""
    if all(0 < ratio < 1 for ratio in ratios):
        return f"{kind.noun} {kind.less}".lstrip().format(separator.join(format_ratio(1 / ratio) for ratio in ratios))
    if all(ratio >= 1 or ratio == 0 for ratio in ratios):
        return kind.more.format(separator.join(map(format_ratio, ratios)))
    first, *others = (describe_ratio(ratio, kind) for ratio in ratios)
    return separator.join([first, *(words.removeprefix(f"{kind.noun} ") for words in others)])


def describe_range(ratio: Estimate, kind: Kind) -> str:
    """Describe a range, whose ends may lie on both sides of 1: "1.08 times as long to 1.2 times as fast"."""
    ends = (ratio.low, ratio.high) if ratio.low >= 1 else (ratio.high, ratio.low)
    is_narrow = describe_ratio(ends[0], kind) == describe_ratio(ends[1], kind)
    words = describe_ratios(ends[:1] if is_narrow else ends, kind, patterns.RANGE.format("", ""))
    return words.removeprefix(patterns.TAKES)


def _from_one_up(ratio: Estimate) -> Estimate:
    return ratio.inverse if 0 < ratio.value < 1 else ratio


def _ratio_range(ratio: Estimate) -> str:
    decimals = len(_ratio_value(ratio).partition(".")[2])
    low, high = (_ratio_bound(end, decimals) for end in (ratio.low, ratio.high))
    return "" if low == high else patterns.RANGE.format(low, high)


def _ratio_value(ratio: Estimate) -> str:
    """Format the ratio itself: near 1, a wide range around 1 supports two decimals."""
    is_wide = ratio.has_range and ratio.low < 1 - SURE and ratio.high > 1 + SURE
    return f"{ratio.value:.2f}" if is_wide and 1 / NEAR_ONE < ratio.value < NEAR_ONE else format_ratio(ratio.value)


def _ratio_bound(ratio: float, decimals: int) -> str:
    """Format a bound with the decimals of its ratio, unless it would read 0 or 1."""
    written = f"{ratio:.{decimals}f}"
    has_own_digits = ratio >= TWO_DIGITS or float(written) in {0, 1}
    return format_ratio(ratio) if has_own_digits else written


def _with_range(value: str, between: str) -> str:
    return patterns.WITH_RANGE.format(value=value, range=between) if between else value


def format_per_cent(ratio: float) -> str:
    """Format an efficiency with two significant digits: "93 %", "2.5 %"."""
    return f"{_significant(100 * ratio, 2) if ratio else 0}{NO_BREAK}%"


def format_share(share: float) -> str:
    """Format "96.1 %" for a coverage, "54 %", "0.22 %" if it is small."""
    number = share * 100
    if 0 < number < 1:
        return f"{number:.2g}{NO_BREAK}%"
    digits = 1 if share > NEARLY_ALL and number != round(number) else 0
    return f"{number:.{digits}f}{NO_BREAK}%"


def abbreviate_rate(text: str) -> str:
    """Abbreviate a rate for tables: "42.9/s"."""
    return text.replace(f"{NO_BREAK}per second", "/s")


def count_noun(number: int, noun: str) -> str:
    """Format a number of things: "1 round", "12 rounds"."""
    return f"{number:,} {noun}{'s' if number != 1 else ''}"
