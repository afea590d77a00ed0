"""Figures of lines: exact numbers are joined, and estimates are points with their ranges and runs."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from generate.charts.scale import short
from generate.charts.traces import (
    FONT_SIZE,
    LINE_COLOURS,
    Figure,
    Trace,
    colour,
    figure,
    marks,
    runs,
    whiskers,
    with_hover,
)
from generate.data.estimates import Estimate

HEIGHT = 260
LETTER = 7
"""Width of a digit, in pixels."""
DASHES = ("solid", "6px,4px", "2px,3px", "8px,3px,2px,3px")
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
    is_joined: bool = False
    """True to join estimates, and to leave out their runs."""


def line_figure(drawn: Sequence[Line], across: Figure, up: Figure) -> Figure:
    """Draw lines over two axes. The title of the y axis is above the chart."""
    traces = [runs for line in drawn for runs in _runs(line)]  # below the marks
    numbers = _further_numbers([line.family for line in drawn])
    traces += (_line(line, number) for line, number in zip(drawn, numbers, strict=True))
    rows = 1 + max(name.count("<br>") for name in across["ticktext"])
    left = 12 + LETTER * max(len(name) for name in up["ticktext"])
    layout = {
        "margin": {"l": left, "r": 16, "t": 10, "b": 16 + (FONT_SIZE + 4) * (rows + 1)},
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
        if not line.is_joined:
            return trace
    else:
        trace["marker"]["maxdisplayed"] = MOST_MARKED
    style = {"color": own, "width": 2, "dash": DASHES[number % len(DASHES)]}
    return {**trace, "mode": "lines+markers", "line": style}


def _runs(line: Line) -> Iterator[Trace]:
    dots = [(x, run.value) for x, estimate in zip(line.x, line.estimates, strict=False) for run in estimate.runs]
    if dots and not line.is_joined:
        x, y = zip(*dots, strict=True)
        yield {**runs(line.family, [*map(short, x)], [*map(short, y)]), "name": line.name}
