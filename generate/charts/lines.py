"""Figures of lines over two axes; estimates have their ranges."""

from collections.abc import Sequence
from typing import NamedTuple

from generate.charts.scale import short
from generate.charts.traces import (
    DOTTED,
    LINE_COLOURS,
    Figure,
    Trace,
    colour,
    figure,
    marks,
    room_below,
    whiskers,
    with_hover,
)
from generate.data.estimates import Estimate

HEIGHT = 260
LETTER = 7
"""Width of a digit, in pixels."""
DASHES = ("solid", "6px,4px", DOTTED, "8px,3px,2px,3px")
"""Their lengths, as Plotly and SVG take them."""
MOST_MARKED = 8
"""Marks on a line: more would hide it."""


class Line(NamedTuple):
    name: str
    family: str
    x: Sequence[float]
    y: Sequence[float]
    legend: str
    """The same values as text, for readers who can't see the chart."""
    estimates: Sequence[Estimate] = ()
    """The estimates behind *y*; empty if exact."""
    hover: Sequence[str] = ()


def line_figure(drawn: Sequence[Line], across: Figure, up: Figure) -> Figure:
    """Draw lines over two axes. The title of the y axis is above the chart."""
    numbers = _further_numbers([line.family for line in drawn])
    traces = [_line(line, number) for line, number in zip(drawn, numbers, strict=True)]
    left = 12 + LETTER * max(len(name) for name in up["ticktext"])
    layout = {
        "margin": {"l": left, "r": 16, "t": 10, "b": room_below(across)},
        "meta": {"values": up["title"]["text"]},
        "xaxis": {**across, "tickangle": 0, "showgrid": False},
        "yaxis": up,
    }
    return figure(traces, HEIGHT, layout)


def _further_numbers(families: Sequence[str]) -> list[int]:
    """Return 0 for the first line of each family, and number the others, so that no two look alike."""
    numbers = [0] * len(families)
    further = [place for place, family in enumerate(families) if family in families[:place]]
    for number, place in enumerate(further, start=1):
        numbers[place] = number
    return numbers


def _line(line: Line, number: int) -> Trace:
    own = f"var(--line-{1 + (number - 1) % len(LINE_COLOURS)})" if number else colour(line.family)
    trace = marks(line.family, [*map(short, line.x)], [*map(short, line.y)], own)
    trace |= {"name": line.name, "meta": {"family": line.family, "legend": line.legend}, **with_hover(line.hover)}
    if line.estimates:
        trace["error_y"] = whiskers(line.estimates)
    else:
        trace["marker"]["maxdisplayed"] = MOST_MARKED
    style = {"color": own, "width": 2, "dash": DASHES[number % len(DASHES)]}
    return {**trace, "mode": "lines+markers", "line": style}
