"""The comparison that Compare opens with, as assets/compare.js shows every other. Pure.

It stands there at once. Only differences are in it, those beyond doubt first, the largest before others; what is folded
below them the browser fetches when it is unfolded.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from generate.pages.compare_rows import rows_of, way
from generate.pages.compare_summary import change_words, summary
from generate.statistics.intervals import median_interval
from generate.text.numbers import counted, format_ratio, format_ratio_interval, format_value, short

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generate.downloads.browser_values import RunValues, SeriesValues
    from generate.pages.compare_rows import Change, Row, Side

MOST_SHOWN = 20
"""With more the page is too long for a phone. assets/compare.js has the same."""


class Bar(NamedTuple):
    """A change on a log scale whose middle is none: to the right what is more. Places are per cent from the left."""

    start: str
    end: str
    low: str
    high: str
    kind: str
    """better or worse; empty where neither is."""


class Median(NamedTuple):
    """A median in words, and what it is sorted by."""

    words: str
    key: float | None
    reference: str
    """The reference build's, where it explains a change; else empty."""


class Difference(NamedTuple):
    """A row of the table."""

    runner: str
    what: str
    bar: Bar
    change: str
    key: float
    below: str
    """Whether what is no speed is better or worse, the bounds, and what makes it doubtful."""
    first: Median
    second: Median


class Opening(NamedTuple):
    """What is shown of two cells."""

    of: str
    by: str
    summary: Sequence[str]
    way: str
    """How they are compared, where no run measured both; else empty."""
    ends: Sequence[str]
    """The ratios at the two ends of the bars' scale."""
    differences: Sequence[Difference]
    folded: Sequence[str]
    """The headings of what is folded."""
    series: int


def opening(first: Sequence[RunValues], second: Sequence[RunValues]) -> Opening:
    """Compare the runs of one cell, the *second*, with those of the *first*, as the form does for all scenarios."""
    rows = rows_of(first, second)
    differing = [(row, row.change) for row in rows if row.kind == "differs" and row.change]
    most = _farthest([change for _, change in differing])
    further, others = len(differing) - MOST_SHOWN, len(rows) - len(differing)
    folded = []
    if further > 0:
        folded.append(f"{further} further {'difference' if further == 1 else 'differences'}")
    if others:
        folded.append(f"{counted(others, 'other')}: no difference, not decided, not comparable")
    shown = [_difference(row, change, most) for row, change in differing[:MOST_SHOWN]]
    ends = [format_ratio(math.exp(end)) for end in (-most, most)]
    return Opening(_words(second), _words(first), summary(rows), way(rows), ends, shown, folded, len(rows))


def _farthest(changes: Sequence[Change]) -> float:
    """Return how far the scale of all *changes* reaches to either side: no interval is cut at its end."""
    bounds = [bound for change in changes for bound in change[:3] if 0 < bound < math.inf]
    return max([abs(math.log(bound)) for bound in bounds], default=0.0) or 1.0


def _words(runs: Sequence[RunValues]) -> str:
    """Name a cell: its build and machine, and the days of its runs."""
    processors = ", ".join(dict.fromkeys(run["processor"] for run in runs))
    days = sorted({run["started"] for run in runs})
    return f"{runs[0]['build']}, {runs[0]['machine']} ({processors}, {' to '.join(dict.fromkeys((days[0], days[-1])))})"


def _difference(row: Row, change: Change, most: float) -> Difference:
    scenario, case, runner = row.series["name"]
    bounds = format_ratio_interval(change.low, change.high)
    return Difference(
        runner,
        ". ".join(filter(None, [f"{scenario}: {case}", row.series["title"], row.packages])),
        _bar(row.series, change, most),
        change_words(change.median, is_speed=row.series["is_speed"]),
        change.median,
        "; ".join(filter(None, [_worth(row.series, change), bounds, row.doubt])),
        *(_median(side, row.series["unit"]) for side in row.sides),
    )


def _median(side: Side, unit: str) -> Median:
    own, beside = (
        median_interval([*values.values()]).median if values else None for values in (side.values, side.reference)
    )
    words, reference = ("" if found is None else short(format_value(found, unit)) for found in (own, beside))
    return Median(words, own, reference and f"reference {reference}")


def _bar(series: SeriesValues, change: Change, most: float) -> Bar:
    at, low, high = (_place(ratio, most) for ratio in change[:3])
    start, end, low_end, high_end = (f"{place:.2f}" for place in (min(50, at), max(50, at), low, high))
    return Bar(start, end, low_end, high_end, _kind(series, change))


def _kind(series: SeriesValues, change: Change) -> str:
    """Return whether a change is better or worse; empty where neither is."""
    if not series["is_speed"] and series["better"] == "neither":
        return ""
    return "better" if (change.median > 1) is (series["is_speed"] or series["better"] == "higher") else "worse"


def _worth(series: SeriesValues, change: Change) -> str:
    """Say whether a change is better or worse, where its own words do not: what is faster is better."""
    return "" if series["is_speed"] else _kind(series, change)


def _place(ratio: float, most: float) -> float:
    """Place a ratio; what has no place on a log scale stands at an end."""
    share = math.log(ratio) / most if ratio > 0 else -1
    return 50 + 50 * min(1, max(-1, share))
