"""Figures of rows: a runner's name, and its bars or ratios below. The y axis counts pixels downwards."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from generate.charts.scale import FARTHEST_END, LOG_FROM_SPAN, Scale, drawn_range, short
from generate.charts.traces import (
    EN_SPACE,
    FONT_SIZE,
    INK,
    RULE_STRONG,
    Figure,
    Trace,
    colour,
    figure,
    marks,
    room_below,
    runs,
    straight_line,
    vertical_line,
    whiskers,
    with_hover,
    words,
)
from generate.data.estimates import Estimate
from generate.words.numbers import abbreviate_rate, count_noun, format_estimate, format_ratio, format_with_range

NAME_HEIGHT, NAME_MIDDLE, BAR_HEIGHT, THICKNESS, GAP = 20, 7, 15, 12, 6
"""In pixels."""
LEFT_ROOM, NUMBER_ROOM = 0.02, 0.28
"""Room left of the bars, and right of the longest one for its number: shares of that bar."""
RATIO_HEIGHT = 44
"""Height of a row's ratios, in pixels."""
AROUND_1 = (0.8, 1.25)
"""The axis of ratios shows at least this range, so that noise looks small."""
MOST_NUMBERS, LONGEST_NUMBER = 8, 4
"""With more ratios in a row, or a longer number, only the ratio farthest from 1 has a number."""


class Row(NamedTuple):
    name: str
    family: str
    """Empty for a heading."""
    estimates: Sequence[Estimate]
    """The current build's, and perhaps a second build's, which is drawn lighter."""
    is_tied: bool = False
    """True if it is among several best ones, which a line at the right joins, as in tables."""


class Ratios(NamedTuple):
    name: str
    family: str
    x: Sequence[float]
    estimates: Sequence[Estimate]
    hover: Sequence[str]


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
    """Draw bars from zero, or marks over a log axis if values span more than *log_from*: estimates, runs and numbers.

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
        drawn += [straight_line([scale.value_at(1 + room)] * 2, [top, bottom], INK, 3)] * row.is_tied
        drawn.sort(key=lambda trace: trace.get("mode") == "text")  # numbers are above lines, and the name below bars
        traces += _of_row(number, row.name, row.family, [name, *drawn])
        top = bottom
    across = {**scale.axis(LEFT_ROOM, room), "visible": scale.log, **(scale.named_ticks(unit) if scale.log else {})}
    below = FONT_SIZE + 6 if scale.log else 0
    layout = {"margin": {"l": 0, "r": 0, "t": 0, "b": below}, "xaxis": across}
    return figure(traces, top + below, {**layout, "yaxis": {"range": [top, 0], "visible": False}})


def ratio_figure(rows: Sequence[Ratios], across: Figure) -> Figure:
    """Draw each row's ratios above and below a line at 1, all on one log scale; *across* names their places."""
    shown = [each for row in rows for each in row.estimates if each.value > 0]
    low, high = (end([*AROUND_1, *(each.value for each in shown)]) for end in (min, max))
    ends = [end for each in shown for end in (*drawn_range(each), *(run.value for run in each.runs))]
    scale = Scale.spanning([low, high, *(min(max(end, low / FARTHEST_END), high * FARTHEST_END) for end in ends)])
    height = NAME_HEIGHT + GAP + RATIO_HEIGHT + GAP
    traces = [
        trace
        for number, row in enumerate(rows)
        for trace in _of_row(number, row.name, row.family, _ratios(row, number * height, scale, across["range"]))
    ]
    below = room_below(across)
    layout = {
        "margin": {"l": 0, "r": 0, "t": 0, "b": below},
        "xaxis": {**across, "tickangle": 0, "showgrid": False, "zeroline": False},
        "yaxis": {"range": [height * len(rows), 0], "tickvals": [], "ticktext": [], "zeroline": False},
    }
    return figure(traces, height * len(rows) + below, layout)


def _ratios(row: Ratios, top: int, scale: Scale, across: Sequence[float]) -> Iterator[Trace]:
    def down(ratio: float) -> float:
        return round(top + NAME_HEIGHT + GAP + RATIO_HEIGHT * (1 - scale.percent(ratio) / 100), 1)

    yield words(across[0], top + NAME_MIDDLE, row.name)
    yield straight_line(across, [down(1)] * 2, RULE_STRONG, 1)
    dots = [(x, down(run.value)) for x, each in zip(row.x, row.estimates, strict=True) for run in each.runs]
    if dots:
        yield runs(row.family, *map(list, zip(*dots, strict=True)))
    y = [down(each.value) for each in row.estimates]
    ranges = [drawn_range(each) for each in row.estimates]
    below, above = (
        [abs(down(ends[place]) - at) if ends else None for at, ends in zip(y, ranges, strict=True)] for place in (0, -1)
    )
    error = whiskers([]) | {"array": below, "arrayminus": above}  # the axis counts downwards
    values = {"customdata": [short(each.value) for each in row.estimates]}
    yield marks(row.family, row.x, y) | with_hover(row.hover) | {"error_y": error} | values
    numbers = {place: format_ratio(each.value) for place, each in enumerate(row.estimates) if each.differs}
    if len(row.x) > MOST_NUMBERS or any(len(number) > LONGEST_NUMBER for number in numbers.values()):
        farthest = max(numbers, key=lambda place: abs(y[place] - down(1)), default=0)
        numbers = {place: number for place, number in numbers.items() if place == farthest}
    for place, number in numbers.items():
        yield words(row.x[place], y[place], EN_SPACE + number)


def _of_row(number: int, name: str, family: str, traces: Iterable[Trace]) -> Iterator[Trace]:
    for trace in traces:
        yield {**trace, "name": name, "meta": {**trace.get("meta", {}), "family": family, "row": number}}


def _row(row: Row, top: int, unit: str, scale: Scale) -> Iterator[Trace]:
    yield words(scale.value_at(0.0), top + NAME_MIDDLE, row.name, is_heading=not row.family)
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
        text = EN_SPACE + format_amount(estimate, unit)
        yield words(min(farthest, short(scale.high)), middle, text)


def _bar(row: Row, value: float, middle: float, *, is_lighter: bool) -> Trace:
    line = {"color": colour(row.family), "width": 1 if is_lighter else 0}
    marker = {"color": colour(row.family), "opacity": 0.3 if is_lighter else 0.75, "line": line}
    return {"type": "bar", "orientation": "h", "x": [value], "y": [middle], "width": THICKNESS, "marker": marker}


def hover_text(estimate: Estimate, unit: str) -> str:
    return f"{format_with_range(estimate, unit)}, {count_noun(len(estimate.runs), 'run')}"
