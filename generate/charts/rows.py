"""Figures of rows: a runner's name, and its bars below. The y axis counts pixels downwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from generate.charts.scale import Scale, short
from generate.charts.traces import EN_SPACE, INK, colour, family_place, figure, marks, runs, whiskers, with_hover, words
from generate.words.numbers import abbreviate_rate, format_estimate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from generate.charts.traces import Figure, Trace
    from generate.data.estimates import Estimate

NAME_HEIGHT, BAR_HEIGHT, THICKNESS, GAP = 17, 15, 12, 6
"""In pixels."""
NUMBER_ROOM = 0.28
"""Room for the number right of the longest bar, as a share of that bar."""
LEFT_ROOM, BRACKET = 0.02, -0.015
"""Room for the bracket left of the bars, and the bracket's place."""


class Row(NamedTuple):
    """The values of one runner."""

    name: str
    family: str
    estimates: Sequence[Estimate]
    """The current build's, and perhaps a second build's, which is drawn lighter."""
    is_tied: bool = False
    """True if it shares the first place: a bracket joins all that are as fast as the best."""
    hover: str = ""


def written(estimate: Estimate, unit: str) -> str:
    """Format the value next to a bar."""
    return abbreviate_rate(format_estimate(estimate, unit))


def bar_figure(rows: Sequence[Row], unit: str, *, ideal: float | None = None, room: float = NUMBER_ROOM) -> Figure:
    """Draw bars from zero, or marks if values span much: estimates with their ranges, runs and numbers.

    *ideal* is the limit that no runner can beat, if they share one.
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
    across = {**scale.axis(LEFT_ROOM, room), "visible": False}
    return figure(traces, top, {"xaxis": across, "yaxis": {"range": [top, 0], "visible": False}})


def bars_scale(rows: Iterable[Row], ideal: float | None = None) -> Scale:
    """Return the scale of bars."""
    return Scale.for_estimates((each for row in rows for each in row.estimates), [] if ideal is None else [ideal])


def _row(row: Row, top: int, unit: str, scale: Scale) -> Iterator[Trace]:
    yield words([scale.value_at(0.0)], [top + NAME_HEIGHT / 2], [row.name])
    for number, estimate in enumerate(row.estimates):
        start = top + NAME_HEIGHT + BAR_HEIGHT * number
        middle = start + THICKNESS / 2
        value, whisker = short(estimate.value), whiskers([estimate])
        drawn = marks(row.family, [value], [middle]) if scale.log else _bar(row, value, middle, is_lighter=number > 0)
        drawn |= {"error_x": whisker, **with_hover([row.hover])}
        own = [short(run.value) for run in estimate.runs]
        dots = runs(row.family, own, [start + THICKNESS * (place + 0.5) / len(own) for place in range(len(own))])
        yield from (dots, drawn) if scale.log else (drawn, dots)  # dots would cover a mark
        farthest = max([value, *own, value + (whisker["array"][0] or 0)])
        yield words([min(farthest, short(scale.high))], [middle], [EN_SPACE + written(estimate, unit)])


def _bar(row: Row, value: float, middle: float, *, is_lighter: bool) -> Trace:
    line = {"color": colour(row.family), "width": 1 if is_lighter else 0}
    marker = {"color": colour(row.family), "opacity": 0.3 if is_lighter else 0.75, "line": line}
    return {"type": "bar", "orientation": "h", "x": [value], "y": [middle], "width": THICKNESS, "marker": marker}


def _upright(x: float, top: float, bottom: float, line: dict[str, object]) -> Trace:
    upright = {"type": "scatter", "mode": "lines", "x": [x, x], "y": [top, bottom], "hoverinfo": "skip"}
    return {**upright, "line": {"width": 1.5, **line}, "cliponaxis": False}
