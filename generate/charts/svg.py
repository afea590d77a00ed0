"""Draws a chart's figure as SVG, the picture that a page comes with: bars, marks, lines, ranges, text and axes.

Horizontal positions are per cent of the picture's width, vertical ones pixels, so that letters keep their size on any
screen. Colours are the page's custom properties, so a picture follows its colour scheme.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from markupsafe import Markup

from generate.charts.traces import Figure, Trace, thin_out

LINE_HEIGHT, BASELINE = 14, 4
"""In pixels: between two lines of text, and from the middle of a line to its baseline."""
DOT, MARK = Markup('<circle cx="{:g}%" cy="{:g}"/>'), Markup('<rect class="mark" x="{:g}%" y="{:g}"/>')
_JOIN = Markup("").join


class Frame(NamedTuple):
    """Maps values to positions in a picture."""

    x_axis: Mapping[str, Any]
    y_axis: Mapping[str, Any]
    height: float

    def x(self, value: float) -> float:
        """Return a horizontal position, in per cent."""
        return round(100 * _share(self.x_axis, value), 2)

    def y(self, value: float) -> float:
        """Return a vertical position, in pixels from the top."""
        return round(self.height * (1 - _share(self.y_axis, value)), 1)


def picture(figure: Figure, label: str = "") -> Markup:
    """Draw a figure; *label* is its text alternative, if the page has none around it."""
    layout = figure["layout"]
    margin = layout["margin"]
    frame = Frame(layout["xaxis"], layout["yaxis"], layout["height"] - margin["t"] - margin["b"])
    size = Markup("height: {height}px; padding: {t}px {r}px {b}px {l}px").format(height=layout["height"], **margin)
    words = Markup(' role="img" aria-label="{}"').format(label) if label else ""
    head = Markup('<svg class="picture" width="100%" style="{}"{}>').format(size, words)
    axes = _axes(frame) if frame.x_axis.get("visible", True) else ()
    return _JOIN([head, *axes, *(_draw(trace, frame) for trace in figure["data"]), Markup("</svg>")])


def key(trace: Trace) -> Markup:
    """Draw a line's sample for the legend."""
    frame = Frame({"range": [0, 28]}, {"range": [0, 12]}, 12)
    mark = {**trace, "mode": "markers", "x": [14], "y": [6], "error_y": {}}
    line = [{**mark, "mode": "lines", "x": [1, 27], "y": [6, 6]}] if "line" in trace else []
    drawn = [_draw(each, frame) for each in [*line, mark]]
    return _JOIN([Markup('<svg class="picture key" width="28" height="12">'), *drawn, Markup("</svg>")])


def legend(figure: Figure) -> list[tuple[Markup, str, str]]:
    """Return the look, name and values of each line."""
    lines = (trace for trace in figure["data"] if "legend" in trace["meta"])
    return [(key(line), line["name"], line["meta"]["legend"]) for line in lines]


def _share(axis: Mapping[str, Any], value: float) -> float:
    """Return a value's position between the ends of an axis, 0 to 1."""
    first, last = map(float, axis["range"])
    if axis.get("type") == "log":
        value = math.log10(value) if value > 0 else first
    return min(max((value - first) / (last - first), 0.0), 1.0)


def _axes(frame: Frame) -> Iterator[Markup]:
    """Draw a grid line at each tick of the y axis, or of an x axis without title, with names below and at the left."""
    for value, name in zip(frame.y_axis.get("tickvals", ()), frame.y_axis.get("ticktext", ()), strict=True):
        y = frame.y(value)
        yield Markup('<line class="grid" x2="100%" y1="{0:g}" y2="{0:g}"/>').format(y)
        yield Markup('<text class="tick" x="-6" y="{:g}" text-anchor="end">{}</text>').format(y + BASELINE, name)
    rows = [
        (frame.x(value), number, line)
        for value, name in zip(frame.x_axis["tickvals"], frame.x_axis["ticktext"], strict=True)
        for number, line in enumerate(name.split("<br>"), start=1)
    ]
    below = Markup('<text class="tick" x="{:g}%" y="{:g}" text-anchor="middle">{}</text>')
    if "title" in frame.x_axis:
        rows.append((50, max(number for _, number, _ in rows) + 1, frame.x_axis["title"]["text"]))
    else:  # lines of its own, with names at their right
        grid = Markup('<line class="grid" x1="{0:g}%" x2="{0:g}%" y2="{1:g}"/>')
        yield from (grid.format(x, frame.height + LINE_HEIGHT) for x, _, _ in rows)
        below = Markup('<text class="tick" x="{:g}%" y="{:g}" dx="3">{}</text>')
    for x, number, line in rows:
        yield below.format(x, frame.height + 3 + LINE_HEIGHT * number, line)


def _draw(trace: Trace, frame: Frame) -> Markup:
    style = trace.get("marker") or trace.get("line") or trace["textfont"]
    family = trace.get("meta", {}).get("family", "unknown")
    head = Markup('<g class="family-{}" fill="{}">').format(family, style["color"])
    parts = (draw(trace, frame) for draw in (_bars, _path, _whiskers, _marks, _texts))
    return _JOIN([head, *(piece for part in parts for piece in part), Markup("</g>")])


def _points(trace: Trace, frame: Frame) -> list[tuple[float, float]]:
    return [(frame.x(x), frame.y(y)) for x, y in zip(trace["x"], trace["y"], strict=True)]


def _bars(trace: Trace, frame: Frame) -> Iterator[Markup]:
    if trace["type"] != "bar":
        return
    marker, line, width = trace["marker"], trace["marker"]["line"], trace["width"]
    stroke = Markup(' stroke="{color}" stroke-width="{width}"').format(**line) if line["width"] else ""
    box = Markup('<rect x="{:g}%" y="{:g}" width="{:.4g}%" height="{:g}" fill-opacity="{}"{}/>')
    for x, y in _points(trace, frame):
        yield box.format(frame.x(0), y - width / 2, x - frame.x(0), width, marker["opacity"], stroke)


def _path(trace: Trace, frame: Frame) -> Iterator[Markup]:
    """Draw the line that joins the points, in a box of its own that stretches with the picture."""
    if "lines" not in trace.get("mode", ""):
        return
    line = trace["line"]
    dash = Markup(' stroke-dasharray="{}"').format(line["dash"]) if line["dash"] != "solid" else ""
    points = "L".join(f"{x:g} {y:g}" for x, y in _points(trace, frame))
    box = Markup('<svg viewBox="0 0 100 {0:g}" preserveAspectRatio="none" width="100%" height="{0:g}">')
    path = Markup('<path d="M{}" stroke="{}" stroke-width="{}"{}/></svg>')
    yield box.format(frame.height) + path.format(points, line["color"], line["width"], dash)


def _whiskers(trace: Trace, frame: Frame) -> Iterator[Markup]:
    """Draw horizontal or vertical ranges. A value without a range has None for its ends."""
    range_line = Markup('<line class="{}" x1="{:g}%" x2="{:g}%" y1="{:g}" y2="{:g}"/>')
    for axis in ("x", "y"):
        error = trace.get(f"error_{axis}") or {"arrayminus": (), "array": ()}
        for x, y, below, above in zip(trace["x"], trace["y"], error["arrayminus"], error["array"], strict=False):
            if below is not None:
                left, right = (x - below, x + above) if axis == "x" else (x, x)
                low, high = (y - below, y + above) if axis == "y" else (y, y)
                ends = frame.x(left), frame.x(right), frame.y(low), frame.y(high)
                yield range_line.format("halo", *ends) + range_line.format("range", *ends)


def _marks(trace: Trace, frame: Frame) -> Iterator[Markup]:
    if "markers" not in trace.get("mode", ""):
        return
    points = _points(trace, frame)
    mark = DOT if trace["meta"].get("is_run") else MARK
    for x, y in thin_out(points, trace["marker"].get("maxdisplayed", len(points))):
        yield mark.format(x, y)


def _texts(trace: Trace, frame: Frame) -> Iterator[Markup]:
    if trace.get("mode") == "text":
        for (x, y), written in zip(_points(trace, frame), trace["text"], strict=True):
            weight = Markup(' font-weight="600"') if "weight" in trace["textfont"] else ""
            yield Markup('<text x="{:g}%" y="{:g}"{}>{}</text>').format(x, y + BASELINE, weight, written)
