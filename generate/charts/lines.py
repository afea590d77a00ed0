"""Figures of lines, or of points that are not joined: exact numbers, or estimates with ranges and runs.

A line has the mark of its family, and a colour and dashes that tell it from others of its family.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from generate.charts.scale import short
from generate.charts.traces import DASHES, FONT_SIZE, colour, figure, marks, runs, whiskers, with_hover

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generate.charts.traces import Figure, Trace
    from generate.data.estimates import Estimate

HEIGHT = 260
LETTER = 7
"""Width of a digit, in pixels."""
MOST_MARKED = 8
"""Lines with more points have only this many marks."""


class Line(NamedTuple):
    """The values of one runner."""

    name: str
    family: str
    x: Sequence[float]
    y: Sequence[float]
    legend: str
    """The same values as text, for readers who can't see the chart."""
    estimates: Sequence[Estimate] = ()
    """The estimates behind *y*; empty if exact."""
    hover: Sequence[str] = ()


def line_figure(drawn: Sequence[Line], across: Figure, up: Figure, *, is_joined: bool = True) -> Figure:
    """Draw lines over two axes. The title of the y axis is above the chart."""
    traces = [*filter(None, map(_runs, drawn))]  # below the marks
    traces += (_line(line, number, is_joined=is_joined) for line, number in zip(drawn, _numbers(drawn), strict=True))
    left = 12 + LETTER * max(len(name) for name in up["ticktext"])
    rows = 1 + max(name.count("<br>") for name in across["ticktext"])
    margin = {"l": left, "r": 16, "t": 10, "b": 16 + (FONT_SIZE + 4) * (rows + 1)}
    title = {**across["title"], "font": {"size": FONT_SIZE}}
    below = {**across, "title": title, "tickangle": 0, "showgrid": False}
    layout: dict[str, Any] = {
        "margin": margin,
        "meta": {"values": up["title"]["text"]},
        "xaxis": below,
        "yaxis": up,
    }
    return figure(traces, HEIGHT, layout)


def _numbers(lines: Sequence[Line]) -> list[int]:
    """Number the lines of each family, so that no two look alike."""
    return [[other.family for other in lines[:place]].count(line.family) for place, line in enumerate(lines)]


def _line(line: Line, number: int, *, is_joined: bool) -> Trace:
    trace = marks(line.family, [*map(short, line.x)], [*map(short, line.y)], number=number)
    trace |= {"name": line.name, "meta": {"family": line.family, "legend": line.legend}}
    if is_joined:
        dash = DASHES[number % len(DASHES)]
        style = {"color": colour(line.family, number), "width": 2, "dash": dash}
        trace |= {"mode": "lines+markers", "line": style}
    if len(line.y) > MOST_MARKED:
        trace["marker"]["maxdisplayed"] = MOST_MARKED
    if line.estimates:
        trace["error_y"] = whiskers(line.estimates)
    return {**trace, **(with_hover(line.hover) if line.hover else {})}


def _runs(line: Line) -> Trace | None:
    dots = [(x, run.value) for x, estimate in zip(line.x, line.estimates, strict=False) for run in estimate.runs]
    if not dots:
        return None
    trace = runs(line.family, [short(x) for x, _ in dots], [short(y) for _, y in dots])
    return {**trace, "name": line.name}
