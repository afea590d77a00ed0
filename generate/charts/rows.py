"""Figures of rows: a runner's name, and its bars below. The y axis counts pixels downwards."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from generate.charts.scale import LOG_FROM_SPAN, Scale, short
from generate.charts.traces import (
    EN_SPACE,
    Figure,
    Trace,
    colour,
    figure,
    marks,
    runs,
    vertical_line,
    whiskers,
    with_hover,
    words,
)
from generate.data.estimates import Estimate
from generate.words.numbers import abbreviate_rate, count_noun, format_estimate, format_with_range

NAME_HEIGHT, BAR_HEIGHT, THICKNESS, GAP = 17, 15, 12, 6
"""In pixels."""
LEFT_ROOM, NUMBER_ROOM = 0.02, 0.28
"""Room left of the bars, and right of the longest one for its number: shares of that bar."""
TIED = " ="
"""Follows the values of several best ones, as the line next to values does in tables."""


class Row(NamedTuple):
    name: str
    family: str
    """Empty for a heading."""
    estimates: Sequence[Estimate]
    """The current build's, and perhaps a second build's, which is drawn lighter."""
    is_tied: bool = False
    """True if it is among several best ones."""


def format_amount(estimate: Estimate, unit: str) -> str:
    return abbreviate_rate(format_estimate(estimate, unit))


def bar_figure(
    rows: Sequence[Row],
    unit: str,
    *,
    limits: Sequence[float] = (),
    room: float = NUMBER_ROOM,
    log_from: float = LOG_FROM_SPAN,
) -> Figure:
    """Draw bars from zero, or marks if values span more than *log_from*: estimates with ranges, runs and numbers.

    *limits*, such as the ideal that no runner can beat, are dotted lines. Those far off are left out.
    """
    scale = Scale.for_estimates((each for row in rows for each in row.estimates), limits, log_from)
    traces: list[Trace] = []
    top = 0
    for number, row in enumerate(rows):
        bottom = top + NAME_HEIGHT + BAR_HEIGHT * len(row.estimates) + GAP
        name, *drawn = _row(row, top, unit, scale)
        within = [limit for limit in limits if row.estimates and scale.low <= limit <= scale.high]
        drawn += [vertical_line(limit, top + NAME_HEIGHT - 2, bottom - GAP) for limit in within]
        drawn.sort(key=lambda trace: trace.get("mode") == "text")  # numbers are above lines, and the name below bars
        meta = {"family": row.family, "row": number}
        traces += ({**trace, "name": row.name, "meta": {**trace.get("meta", {}), **meta}} for trace in (name, *drawn))
        top = bottom
    across = {**scale.axis(LEFT_ROOM, room), "visible": False}
    return figure(traces, top, {"xaxis": across, "yaxis": {"range": [top, 0], "visible": False}})


def _row(row: Row, top: int, unit: str, scale: Scale) -> Iterator[Trace]:
    yield words(scale.value_at(0.0), top + NAME_HEIGHT / 2, row.name, is_heading=not row.family)
    for number, estimate in enumerate(row.estimates):
        start = top + NAME_HEIGHT + BAR_HEIGHT * number
        middle = start + THICKNESS / 2
        value, whisker = short(estimate.value), whiskers([estimate])
        drawn = marks(row.family, [value], [middle]) if scale.log else _bar(row, value, middle, is_lighter=number > 0)
        drawn |= {"error_x": whisker, **with_hover([hover_text(estimate, unit)])}
        own = [short(run.value) for run in estimate.runs]
        dots = runs(row.family, own, [start + THICKNESS * (place + 0.5) / len(own) for place in range(len(own))])
        yield from (dots, drawn) if scale.log else (drawn, dots)  # dots would cover a mark
        farthest = max([value, *own, value + (whisker["array"][0] or 0)])
        text = EN_SPACE + format_amount(estimate, unit) + TIED * row.is_tied
        yield words(min(farthest, short(scale.high)), middle, text)


def _bar(row: Row, value: float, middle: float, *, is_lighter: bool) -> Trace:
    line = {"color": colour(row.family), "width": 1 if is_lighter else 0}
    marker = {"color": colour(row.family), "opacity": 0.3 if is_lighter else 0.75, "line": line}
    return {"type": "bar", "orientation": "h", "x": [value], "y": [middle], "width": THICKNESS, "marker": marker}


def hover_text(estimate: Estimate, unit: str) -> str:
    return f"{format_with_range(estimate, unit)}, {count_noun(len(estimate.runs), 'run')}"
