"""Lines, or points if nothing lies between two places: the picture that a page comes with, and Plotly's figure. Pure.

A line has the mark of its family, and a colour and dashes (points: a size) that tell it from others of its family: the
page's styles have a few colours of each. A point is at its estimate, with its range, and a dot for each run.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

from markupsafe import Markup

from generate.charts.scale import Scale

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generate.data.estimates import Estimate

Item = TypeVar("Item")
Figure = dict[str, Any]
"""What a chart's JSON file holds: `data` and `layout`, as plotly.graph_objects.Figure takes them."""
Trace = dict[str, Any]
"""One of a figure's `data`. Its `meta` has the `family`, and what the page's styles and switches go by."""

COLOURS = 7
"""So many colours a family has; the first is its own."""
DASHES = {
    "solid": "",
    "dash": "6 4",
    "dot": "1.5 3",
    "dashdot": "6 3 1.5 3",
    "longdash": "10 4",
    "longdashdot": "10 3 2 3",
}
"""By Plotly's name, what SVG calls them. Their number and that of the colours share no divisor: 42 lines differ."""

WIDTH, HEIGHT = 360, 220
LEFT, RIGHT, TOP, BOTTOM = 46, 14, 10, 44
LINE_HEIGHT = 12
MOST_DRAWN = 32
"""So many points of a long line the picture has: more can't be seen in it, and a page holds many pictures."""
MOST_MARKED = 8
"""A line of more points has so many marks."""
ROOM = 0.04
"""Left free at the end of an axis, since Plotly draws marks there in full; a share of its length."""


class Point(NamedTuple):
    """One value, in the units of the axes."""

    x: float
    y: float
    low: float | None = None
    """Lower end of its range; None without one."""
    high: float | None = None
    runs: Sequence[float] = ()
    words: str = ""
    """The same in words, for a pointer that rests on it."""

    @property
    def ends(self) -> list[float]:
        """Both ends of its range, and its runs."""
        return [*(end for end in (self.low, self.high) if end is not None), *self.runs]


def point_of(x: float, estimate: Estimate, words: str = "", factor: float = 1.0) -> Point:
    """Return an estimate with its range and its runs at *x*."""
    value, low, high = (end * factor for end in (estimate.value, estimate.low, estimate.high))
    runs = [run.value * factor for run in estimate.runs]
    is_shown = estimate.has_range and low < high
    return Point(x, value, low if is_shown else None, high if is_shown else None, runs, words)


def scale_of(points: Iterable[Point], further: Iterable[float] = ()) -> Scale:
    """Choose the scale that shows *points*, and *further* values."""
    found = [*points]
    return Scale.of([point.y for point in found], [*further, *(end for point in found for end in point.ends)])


class Line(NamedTuple):
    """The values of one runner."""

    name: str
    family: str
    points: Sequence[Point]
    words: str
    """For the legend: the same values, for those who do not see the chart."""
    number: int = 0
    """Its place among those of its family: by it lines look different."""

    @property
    def colour(self) -> str:
        """What its colour is called in the page's styles."""
        shade = self.number % COLOURS
        return f"{self.family}-{shade}" if shade else self.family

    @property
    def dash(self) -> str:
        """What its dashes are called."""
        return [*DASHES][self.number % len(DASHES)]

    @property
    def is_small(self) -> bool:
        """Whether its dots are smaller than those of the line with the same colour."""
        return self.number >= COLOURS


class Axis(NamedTuple):
    """One axis: what it is of, in words with the unit, and the places that it names."""

    title: str
    scale: Scale
    ticks: Sequence[tuple[float, str]]

    @classmethod
    def of(cls, title: str, scale: Scale) -> Self:
        """Make the axis that names round numbers."""
        return cls(title, scale, [(tick, f"{tick:,.10g}") for tick in scale.ticks()])


@dataclass(frozen=True)
class LinePlot:
    """A chart of lines."""

    lines: Sequence[Line]
    x: Axis
    y: Axis
    is_joined: bool = True
    """Whether lines join the points."""
    direction: str = ""
    """Which values are better: "; lower is better"."""

    @property
    def axis(self) -> str:
        """What its values are: what its vertical axis is of."""
        return f"{self.y.title}{self.direction}{'; log scale' if self.y.scale.log else ''}"

    @property
    def legend(self) -> Sequence[tuple[Markup, Line]]:
        """Each line with its path and mark, as the legend shows them."""
        ends = [("1", "6"), ("27", "6")] if self.is_joined else []
        head = Markup('<svg class="lines key" width="28" height="12">{}</svg>')
        return [(head.format(drawn(line, ends, [], [("14", "6")])), line) for line in self.lines]

    @property
    def rows(self) -> int:
        """How many rows its area has: none, it has a shape of its own."""
        return 0

    def figure(self) -> Figure:
        """Return it as Plotly takes it: all lines, then their runs."""
        axes = {"xaxis": _plotly_axis(self.x), "yaxis": _plotly_axis(self.y)}
        of_runs = [self._runs(line) for line in self.lines if any(point.runs for point in line.points)]
        data = [*(self._trace(line) for line in self.lines), *of_runs]
        return {"data": data, "layout": {"showlegend": False, **axes}}

    def _trace(self, line: Line) -> Trace:
        points = line.points
        trace = self._scatter(line, [(point.x, point.y) for point in points])
        if self.is_joined:
            trace |= {"mode": "lines+markers", "line": {"dash": line.dash}}
        if len(points) > MOST_MARKED:
            trace["marker"] = {"maxdisplayed": MOST_MARKED}
        if any(point.low is not None for point in points):
            trace["error_y"] = whisker([(point.y, point.low, point.high) for point in points])
        if any(point.words for point in points):
            trace["text"] = [point.words for point in points]
            trace["hovertemplate"] = "%{text}<extra>%{fullData.name}</extra>"
        return trace

    def _runs(self, line: Line) -> Trace:
        trace = self._scatter(line, [(point.x, run) for point in line.points for run in point.runs])
        trace["meta"] |= {"is_run": True}
        return {**trace, "hoverinfo": "skip"}

    def _scatter(self, line: Line, places: Sequence[tuple[float, float]]) -> Trace:
        is_small = line.is_small and not self.is_joined
        return {
            "type": "scatter",
            "mode": "markers",
            "name": line.name,
            "meta": {"family": line.family, "colour": line.colour, "small": is_small},
            "x": [short_rate(x) for x, _ in places],
            "y": [short_rate(y) for _, y in places],
        }

    def picture(self) -> Markup:
        """Draw it as SVG."""
        head = Markup('<svg class="lines" viewBox="0 0 {} {}">').format(WIDTH, HEIGHT)
        drawn = [self.drawn(line) for line in self.lines]
        return Markup("").join([head, self._frame(), *drawn, Markup("</svg>")])

    def _frame(self) -> Markup:
        """Draw the axes: a line across at each value, names below and at the left. What is above says what they are."""
        bottom = HEIGHT - BOTTOM
        across = "".join(f"M{LEFT} {_y(self.y.scale, value)}H{WIDTH - RIGHT}" for value, _ in self.y.ticks)
        parts = [Markup('<path class="grid" d="{}M{} {}H{}"/>').format(across, LEFT, bottom, WIDTH - RIGHT)]
        parts.append(Markup('<g class="end">'))
        parts += [_text(LEFT - 6, float(_y(self.y.scale, value)) + 4, name) for value, name in self.y.ticks]
        parts.append(Markup('</g><g class="middle">'))
        for value, name in self.x.ticks:
            for number, row in enumerate(name.split("\n"), start=1):
                parts.append(_text(float(_x(self.x.scale, value)), bottom + 2 + number * LINE_HEIGHT, row))
        parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 4, self.x.title))
        return Markup("").join([*parts, Markup("</g>")])

    def drawn(self, line: Line) -> Markup:
        """Draw one line: its path, its ranges, its runs, its marks."""
        places = [(point, _x(self.x.scale, point.x), _y(self.y.scale, point.y)) for point in line.points]
        spread = [
            f"M{x} {_y(self.y.scale, point.low)}V{_y(self.y.scale, point.high)}"
            for point, x, _ in places
            if point.low is not None and point.high is not None
        ]
        runs = [f"M{x} {_y(self.y.scale, run)}h0" for point, x, _ in places for run in point.runs]
        shown = [(x, y) for _, x, y in _thinned(places, MOST_DRAWN)]
        marked = _thinned(shown, MOST_MARKED) if self.is_joined else shown
        return drawn(line, shown if self.is_joined else [], spread, marked, runs)


def numbered(lines: Iterable[Line]) -> list[Line]:
    """Return *lines*, no two of a family with one look: each keeps its number if its colour is free.

    So one that has its number from its scenario looks alike in all charts of a page.
    """
    found = [*lines]
    taken: dict[str, list[int]] = {}
    for place, line in sorted(enumerate(found), key=lambda each: each[1].number):
        numbers = taken.setdefault(line.family, [])
        numbers.append(_free(line.number, numbers))
        found[place] = line._replace(number=numbers[-1])
    return found


def _free(wanted: int, taken: Sequence[int]) -> int:
    """Return *wanted*, or else the first number whose colour no other has, or else any free number."""
    colours = {number % COLOURS for number in taken}
    numbers: list[int] = [number for number in [wanted, *range(len(taken) + COLOURS)] if number not in taken]
    return next((number for number in numbers if number % COLOURS not in colours), numbers[0])


def drawn(
    line: Line,
    path: Sequence[tuple[str, str]],
    spread: Sequence[str],
    marks: Sequence[tuple[str, str]],
    runs: Sequence[str] = (),
) -> Markup:
    """Draw a line along *path*, its *marks*, and pieces of paths for its ranges (*spread*) and *runs*."""
    style = Markup(' style="--family:var(--family-{})"').format(line.colour) if line.number % COLOURS else ""
    small = " small" if line.is_small and not path else ""
    parts = [Markup('<g class="family-{}{}"{}>').format(line.family, small, style)]
    if path:
        dash = Markup(' stroke-dasharray="{}"').format(DASHES[line.dash]) if DASHES[line.dash] else ""
        parts.append(Markup('<path d="M{}"{}/>').format("L".join(f"{x} {y}" for x, y in path), dash))
    if spread:
        parts.append(Markup('<path class="range" d="{}"/>').format("".join(spread)))
    parts += [Markup('<rect x="{}" y="{}"/>').format(x, y) for x, y in marks]
    if runs:
        parts.append(Markup('<path class="runs" d="{}"/>').format("".join(runs)))
    return Markup("").join([*parts, Markup("</g>")])


def whisker(ends: Sequence[tuple[float, float | None, float | None]]) -> Trace:
    """Return how far ranges, each (value, low, high), reach beyond their values, as Plotly takes it.

    A bound that is None keeps its place: Plotly goes by the order.
    """
    up = [None if high is None else short_rate(high - value) for value, _, high in ends]
    down = [None if low is None else short_rate(value - low) for value, low, _ in ends]
    return {"type": "data", "symmetric": False, "array": up, "arrayminus": down}


def short_rate(amount: float) -> float:
    """Round to five significant digits: more can't be seen, and the files stay small."""
    if amount == 0 or not math.isfinite(amount):
        return 0.0
    return round(amount, 4 - math.floor(math.log10(abs(amount))))


def plotly_range(scale: Scale, room: float) -> list[float]:
    """Return from where to where an axis goes, with *room* at its end; a share of its length."""
    if not scale.log:
        return [0.0, short_rate(scale.high * (1 + room))]
    low, high = math.log10(scale.low), math.log10(scale.high)
    return [short_rate(low - ROOM * (high - low)), short_rate(high + room * (high - low))]


def _plotly_axis(axis: Axis) -> Figure:
    kind = {"type": "log"} if axis.scale.log else {}
    values, names = (
        [short_rate(value) for value, _ in axis.ticks],
        [name.replace("\n", "<br>") for _, name in axis.ticks],
    )
    extent = plotly_range(axis.scale, ROOM)
    ticks = {"tickvals": values, "ticktext": names, "tickangle": 0}  # a name has lines of its own: none is turned
    return {"title": {"text": axis.title}, "range": extent, **ticks, **kind}


def _x(scale: Scale, value: float) -> str:
    return f"{LEFT + scale.percent(value) / 100 * (WIDTH - RIGHT - LEFT):.0f}"


def _y(scale: Scale, value: float) -> str:
    bottom = HEIGHT - BOTTOM
    return f"{bottom - scale.percent(value) / 100 * (bottom - TOP):.0f}"


def _thinned(items: Sequence[Item], most: int) -> list[Item]:
    """Return at most so many of *items*, evenly, with both ends."""
    if len(items) <= most:
        return [*items]
    return [items[round(number * (len(items) - 1) / (most - 1))] for number in range(most)]


def _text(x: float, y: float, text: str) -> Markup:
    return Markup('<text x="{}" y="{}">{}</text>').format(f"{x:.0f}", f"{y:.0f}", text)
