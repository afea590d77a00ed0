"""Says numbers and comparisons in words. No page words a ratio by itself, so none says it wrongly.

A ratio is always candidate / baseline. Of a time that is 0.55 of another we say "1.82 times as fast"; of one that is
1.82 times another, "takes 1.82 times as long". "1.82 times slower" is never said: readers take it for two different
things.
"""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING

from generate.statistics.intervals import FEWEST_PAIRS
from generate.statistics.noise import Finding, finding_of
from generate.text.over_runs import beside_runs
from generate.text.units import DURATION, unit_of

if TYPE_CHECKING:
    from generate.statistics.intervals import Comparison
    from generate.text.over_runs import OverRuns
    from generate.text.units import Kind

NOT_MEASURED = "not measured"
SIGNIFICANT = 3
"""Digits that a value is given with."""
NO_BREAK = "\N{NO-BREAK SPACE}"
"""Between a number and its unit, so that no line breaks there."""
FEW_PER_CENT = 10
"""Per cent up to which the share by which values differ is given with a decimal."""
NEARLY_ALL = 90
"""Per cent above which a share is given with a decimal: there it tells coverages apart."""


@functools.lru_cache(maxsize=10_000)  # tables, their words and other pages ask for the same amounts
def format_value(amount: float | None, unit: str) -> str:
    """Write *amount* of a metric's unit: "1.31 s", "14.2 µs", "42.9 per second", "17,300 per second", "99,999".

    Three significant digits; whole counts and bytes exactly, since they may be what was asked for. A unit that is not
    known is written as it is. None is "not measured".
    """
    if amount is None:
        return NOT_MEASURED
    known = unit_of(unit)
    smallest = known.scales[0 if amount == 0 and known.kind is DURATION else -1]
    fitting = (scale for scale in known.scales if abs(rounded(amount / scale.size)) >= 1)  # 999.9 ms is 1.00 s
    scale = next(fitting, smallest)
    number = amount / scale.size
    if math.isinf(number):
        written = "beyond measure"
    elif number == 0 or (known.is_whole and number == round(number)):
        written = f"{round(number):,}"
    else:
        written = _count(number) if known.is_whole else _significant(number)
    sign = "byte" if scale.sign == "bytes" and written == "1" else scale.sign
    return f"{written}{NO_BREAK}{sign}" if sign else written


def _significant(number: float) -> str:
    """Write a number with three significant digits: 0.551, 12.4, 1,240, 17,300."""
    kept = rounded(number)
    size = math.floor(math.log10(abs(kept)))
    return f"{number:,.{SIGNIFICANT - 1 - size}f}" if size < SIGNIFICANT else f"{kept:,.0f}"


def _count(number: float) -> str:
    """Write the median of counts, with all digits before the point."""
    return f"{number:,.0f}" if abs(number) >= 10**SIGNIFICANT else _significant(number)


def rounded(number: float, digits: int = SIGNIFICANT) -> float:
    """Return *number* with so many significant digits; without a point where it is whole, as data are shorter so."""
    kept = float(f"{number:.{digits}g}")
    return int(kept) if kept.is_integer() else kept


def format_interval(low: float | None, high: float | None, unit: str) -> str:
    """Write bounds in one unit where they allow it: "1.29 to 1.34 s"; "980 ms to 1.02 s" where they do not.

    Bounds that are written alike are one value: "40".
    """
    if low is None or high is None:
        return NOT_MEASURED
    below, above = format_value(low, unit), format_value(high, unit)
    if below == above:
        return above
    number, _, sign = below.partition(NO_BREAK)
    has_same_sign = low == 0 or sign == above.partition(NO_BREAK)[2]
    return f"{number if has_same_sign else below} to {above}"


def format_range(low: float | None, high: float | None, unit: str) -> str:
    """Write bounds beside their median: nothing where they are written alike, since they say nothing then."""
    written = format_interval(low, high, unit)
    return "" if low is not None and written == format_value(low, unit) else written


def format_ratio(ratio: float) -> str:
    """Write a ratio with three significant digits: 0.551, 1.04, 1.82, 12.4, 1,240, 17,300."""
    if ratio == 0:
        return "0"
    if math.isinf(ratio):
        return "infinitely many"
    return _significant(ratio)


def format_bound(ratio: float) -> str:
    """Write a ratio so that one which is not 1 does not read as 1: beside an interval, a median and its bounds alike.

    Of three ratios in order none is written as less than the one before, so no median stands outside its interval.
    """
    written = format_ratio(ratio)
    if written != "1.00" or ratio == 1:
        return written
    return next((finer for finer in (f"{ratio:.3f}", f"{ratio:.4f}") if float(finer) != 1), written)


def format_median(ratio: float, low: float, high: float) -> str:
    """Write a ratio that stands beside its bounds: with three digits where 1 lies between them."""
    return format_ratio(ratio) if low < 1 < high else format_bound(ratio)


def format_ratio_interval(low: float | None, high: float | None) -> str:
    """Write a ratio's bounds: "0.971 to 1.03"; one number where they are written alike."""
    if low is None or high is None:
        return NOT_MEASURED
    below, above = format_bound(low), format_bound(high)
    return below if below == above else f"{below} to {above}"


def ratio_words(ratio: float, low: float, high: float) -> str:
    """Write a ratio with its bounds: "1.82 (1.71 to 1.93)"; alone where they say no more than it does."""
    written, bounds = format_median(ratio, low, high), format_ratio_interval(low, high)
    return written if bounds == written else f"{written} ({bounds})"


FEW = 0.1
"""Below this ratio a part of a whole is said as per cent: 2.46 % of the delay."""
CLOSE_IN_RUN = "not clear in this run"
"""What is said where an interval holds 1, and the medians of all of several runs lie on one side of it."""
OF_NOISE = {Finding.REACHES: ", which reaches into the noise", Finding.INSIDE: ", but noise alone does as much"}


def say(compared: Comparison | None, kind: Kind, noise: Comparison | None = None, runs: OverRuns | None = None) -> str:
    """Say how a candidate compares with its baseline. *noise* is the baseline against itself, where that is known.

    With the bounds: "1.82 times as fast (1.71 to 1.93)". Where 1 lies inside them: "no difference seen (0.971 to 1.03
    times as fast)", unless all of several runs lie on one side of it: then it is not clear in this run; where the
    median lies inside the noise: "1.03 times as fast (1.01 to 1.05), but noise alone does as much"; where the bounds
    alone do: ", which reaches into the noise". Where the pairs are too few to decide, or are of what may not decide,
    that is said, with the way it leans. What a quick run decides is a direction, and says so:
    "1.82 times as fast (1.21 to 2.72, quick run)"; of few rounds of another run, "6 rounds" stands there. What several
    *runs* had follows the bounds:
    "1.82 times as fast (1.71 to 1.93; 1.65 to 1.93 in 5 runs)".
    """
    if compared is None:
        return NOT_MEASURED
    holds_one = compared.low <= 1 <= compared.high
    are_speeds = _is_turned(compared, kind)
    turned = runs.turned() if runs and are_speeds else runs
    of_run = bounds_words(compared, kind)
    bounds = bounds_words(compared, kind, runs)
    if compared.decided and holds_one and not compared.quick:
        if turned and turned.side:
            return f"{CLOSE_IN_RUN} ({of_run}; {_on_one_side(turned, are_speeds=are_speeds)})"
        return f"no difference seen ({bounds})"
    finding = finding_of(compared, noise)
    if compared.differs:
        of_this = " in this run" if finding is Finding.INSIDE and runs and runs.side else ""
        return f"{_say_ratio(compared, kind, runs)}{OF_NOISE.get(finding, '')}{of_this}"
    pairs = counted(compared.pairs, "pair")
    why = "too few pairs to decide" if compared.pairs < FEWEST_PAIRS else "not decided"
    if holds_one:
        return f"{why} ({pairs}: {bounds})"
    return f"{why} ({pairs}); it leans to: {_say_ratio(compared, kind, runs)}"


def bounds_words(compared: Comparison, kind: Kind, runs: OverRuns | None = None) -> str:
    """Say between which bounds a ratio lies that is no difference: of times as of differences, which are speeds.

    What several *runs* had follows.
    """
    if not _is_turned(compared, kind):
        return beside_runs(format_ratio_interval(compared.low, compared.high), runs, format_ratio_interval)
    bounds = kind.turned.format(format_ratio_interval(1 / compared.high, 1 / compared.low))
    return beside_runs(bounds, runs.turned() if runs else None, format_ratio_interval)


def _on_one_side(runs: OverRuns, *, are_speeds: bool) -> str:
    """Say on which side of 1 all runs lie, and where: "faster in each of 5 runs, 1.04 to 1.16"."""
    speed = "faster" if runs.side == "above" else "slower"
    side = speed if are_speeds else f"{runs.side} 1"
    return f"{side} {runs.each}, {format_ratio_interval(runs.low, runs.high)}"


def _is_turned(compared: Comparison, kind: Kind) -> bool:
    """Say whether a ratio below 1 can be said the other way round: a time of nothing has no reciprocal."""
    return bool(kind.turned) and compared.low > 0


def _say_ratio(compared: Comparison, kind: Kind, runs: OverRuns | None) -> str:
    """Say a ratio that is not 1, with its bounds where it has any, and with those of several runs where they differ."""
    low, ratio, high = compared.low, compared.ratio, compared.high
    said = unturned(ratio, kind)
    if ratio < 1 and _is_turned(compared, kind):
        low, ratio, high = 1 / high, 1 / ratio, 1 / low
        runs = runs.turned() if runs else None
        said = kind.turned.format(format_bound(ratio))
    is_small = is_small_part(ratio, kind.less)
    write = per_cent_interval if is_small else format_ratio_interval
    said = kind.less.format(per_cent(ratio)) if is_small else said
    bounds = "" if format_ratio_interval(low, high) == format_bound(ratio) else write(low, high)
    over_runs = beside_runs(bounds, runs, write, format_bound(ratio))
    of_what = counted(compared.pairs, "round") if compared.few else "quick run"
    aside = ", ".join(filter(None, [over_runs, of_what if compared.quick and compared.decided else ""]))
    return f"{said} ({aside})" if aside else said


def is_small_part(ratio: float, words: str) -> bool:
    """Say whether *words* call a ratio a part of a whole, and it is so small that it reads as per cent."""
    return ratio < FEW and "{} of the " in words


def per_cent(ratio: float) -> str:
    """Write a part of a whole with three significant digits, as an efficiency or a small ratio: "93.0 %", "2.46 %"."""
    return f"{format_ratio(100 * ratio)}{NO_BREAK}%"


def per_cent_interval(low: float, high: float) -> str:
    """Write the bounds of a small part of a whole: "2.22 to 2.92 %"."""
    return f"{format_ratio(100 * low)} to {per_cent(high)}"


def unturned(ratio: float, kind: Kind) -> str:
    """Say a ratio as it is, not turned: "takes 0.551 of the time", "takes 1.82 times as long", "1.82 times as many"."""
    return (kind.less if ratio < 1 else kind.more).format(format_bound(ratio))


def short(text: str) -> str:
    """Write a rate as tables have room for: "42.9/s"."""
    return text.replace(f"{NO_BREAK}per second", "/s")


def ordinal(number: int) -> str:
    """Write a place as people say it: "1st", "2nd", "11th", "23rd"."""
    ending = "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def counted(number: int, noun: str) -> str:
    """Write a number of things: "1 round", "12 rounds"."""
    return f"{number:,} {noun}{'s' if number != 1 else ''}"


def format_spread(share: float) -> str:
    """Write by what share values differ as per cent: "4.2 %", "15 %"."""
    number = share * 100
    return f"{number:.{1 if number < FEW_PER_CENT else 0}f}{NO_BREAK}%"


def format_share(share: float) -> str:
    """Write a share of 1 as per cent: "96.1 %" for a coverage, "54 %" for an efficiency, "0.22 %" where it is small."""
    number = share * 100
    if 0 < number < 1:
        return f"{number:.2g}{NO_BREAK}%"
    digits = 1 if number > NEARLY_ALL and number != round(number) else 0
    return f"{number:.{digits}f}{NO_BREAK}%"
