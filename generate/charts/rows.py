"""Figures of rows, a runner's name above what is drawn of it. Going down, their y axis counts pixels."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from generate.charts.scale import Scale, short
from generate.charts.traces import EN_SPACE, INK, colour, family_place, figure, hover, marks, runs, whiskers, words
from generate.words.numbers import abbreviate_rate, format_estimate, format_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from generate.charts.traces import Figure, Trace
    from generate.data.estimates import Estimate

NAME_HEIGHT, BAR_HEIGHT, THICKNESS, GAP = 17, 15, 12, 6
"""Pixels, of each row."""
NUMBER_ROOM = 0.28
"""Right of the longest bar, for its number: a share of that bar."""
LEFT_ROOM, BRACKET = 0.02, -0.015
"""Left of the bars, for the bracket, and the bracket's place in it."""
EDGE = 0.02
"""Left free at both ends of a small picture, for half a mark."""


class Row(NamedTuple):
    """The values of one runner."""

    name: str
    family: str
    estimates: Sequence[Estimate]
    """That of the current build, and perhaps one of a second build, which is drawn lighter."""
    is_tied: bool = False
    """True if it is as fast as the best, and so is another: they share a bracket."""
    hover: str = ""


def written(estimate: Estimate, unit: str) -> str:
    """Write a value next to its bar."""
    return abbreviate_rate(format_estimate(estimate, unit))


def bar_figure(rows: Sequence[Row], unit: str, *, ideal: float | None = None, room: float = NUMBER_ROOM) -> Figure:
    """Draw bars from zero, or marks if values span much: estimates with their ranges, runs and numbers.

    *ideal* is the limit that no runner can beat, if they have one in common.
    """
    scale = bars_scale(rows, ideal)
    by_family = sorted(range(len(rows)), key=lambda number: (family_place(rows[number].family), number))
    traces: list[Trace] = []
    top = 0
    for number, row in enumerate(rows):
        bottom = top + NAME_HEIGHT + BAR_HEIGHT * len(row.estimates) + GAP
        drawn = [*_row(row, top, unit, scale)]
        if ideal is not None:
            drawn.append(_upright(ideal, top + NAME_HEIGHT - 2, bottom - GAP, {"dash": "dot", "color": "var(--ideal)"}))
        if row.is_tied:
            drawn.append(_upright(scale.value_at(BRACKET), top, bottom, {"color": INK, "width": 2}))
        meta = {"family": row.family, "row": number, "by_family": by_family.index(number)}
        traces += ({**trace, "name": row.name, "meta": {**trace.get("meta", {}), **meta}} for trace in drawn)
        top = bottom
    return rows_figure(traces, top, scale, room)


def dot_figure(rows: Sequence[tuple[str, str, Sequence[float]]], unit: str) -> Figure:
    """Draw the values of each row, which has a name and a family, as marks from the least to the greatest of all."""
    every = [amount for _, _, amounts in rows for amount in amounts]
    least, most = min(every), max(every)
    traces, top, height = [], 0, NAME_HEIGHT + BAR_HEIGHT + GAP
    for name, family, amounts in rows:
        middle = top + NAME_HEIGHT + THICKNESS / 2
        traces += [words([0], [top + NAME_HEIGHT / 2], [name])]
        traces += [
            marks(
                family, [short((amount - least) / (most - least or 1)) for amount in amounts], [middle] * len(amounts)
            )
        ]
        top += height
    ends = [format_value(amount, unit) for amount in (least, most)]
    traces += [
        words([0], [top + NAME_HEIGHT / 2], ends[:1]),
        words([1], [top + NAME_HEIGHT / 2], ends[1:], "middle left"),
    ]
    return rows_figure(traces, top + NAME_HEIGHT, Scale(0.0, 1.0, log=False), EDGE)


def lane_figure(rows: Sequence[tuple[str, str, Sequence[str]]]) -> Figure:
    """Draw lanes, written a letter a step (r runs, w waits), below the name of each row, which has a family too."""
    steps = max(len(lane) for _, _, lanes in rows for lane in lanes)
    traces, top = [], 0
    for name, family, lanes in rows:
        traces.append(words([0], [top + NAME_HEIGHT / 2], [name]))
        for number, lane in enumerate(lanes):
            for stretch in re.finditer("r+|w+", lane):
                row = Row(name, family, [])
                bar = _bar(
                    row, len(stretch[0]), top + NAME_HEIGHT + BAR_HEIGHT * (number + 0.5), is_lighter="w" in stretch[0]
                )
                traces.append({**bar, "base": [stretch.start()], "meta": {"family": family}})
        top += NAME_HEIGHT + BAR_HEIGHT * len(lanes) + GAP
    return rows_figure(traces, top, Scale(0.0, steps, log=False), EDGE)


def bars_scale(rows: Iterable[Row], ideal: float | None = None) -> Scale:
    """Return the scale of bars."""
    return Scale.of_estimates((each for row in rows for each in row.estimates), [] if ideal is None else [ideal])


def rows_figure(traces: Iterable[Trace], height: int, scale: Scale, room: float) -> Figure:
    """Return a figure without axes: each number is at its bar."""
    across = {**scale.axis(LEFT_ROOM, room), "visible": False}
    return figure([*traces], height, {"xaxis": across, "yaxis": {"range": [height, 0], "visible": False}})


def _row(row: Row, top: int, unit: str, scale: Scale) -> Iterator[Trace]:
    yield words([scale.value_at(0.0)], [top + NAME_HEIGHT / 2], [row.name])
    for number, estimate in enumerate(row.estimates):
        start = top + NAME_HEIGHT + BAR_HEIGHT * number
        middle = start + THICKNESS / 2
        value, whisker = short(estimate.value), whiskers([estimate])
        shown = {"error_x": whisker, **hover([row.hover])}
        yield {
            **(marks(row.family, [value], [middle]) if scale.log else _bar(row, value, middle, is_lighter=number > 0)),
            **shown,
        }
        own = [short(run.value) for run in estimate.runs]
        yield runs(row.family, own, [start + THICKNESS * (place + 0.5) / len(own) for place in range(len(own))])
        farthest = max([value, *own, value + (whisker["array"][0] or 0)])
        yield words([min(farthest, short(scale.high))], [middle], [EN_SPACE + written(estimate, unit)])


def _bar(row: Row, value: float, middle: float, *, is_lighter: bool) -> Trace:
    line = {"color": colour(row.family), "width": 1 if is_lighter else 0}
    marker = {"color": colour(row.family), "opacity": 0.3 if is_lighter else 0.75, "line": line}
    return {"type": "bar", "orientation": "h", "x": [value], "y": [middle], "width": THICKNESS, "marker": marker}


def _upright(x: float, top: float, bottom: float, line: dict[str, object]) -> Trace:
    upright = {"type": "scatter", "mode": "lines", "x": [x, x], "y": [top, bottom], "hoverinfo": "skip"}
    return {**upright, "line": {"width": 1.5, **line}, "cliponaxis": False}
