"""Draws a chart's figure as SVG, the picture that a page comes with: bars, marks, lines, ranges, text and axes.

Horizontal positions are per cent of the picture's width, vertical ones pixels, so that letters keep their size on any
screen. Colours are the page's custom properties, so a picture follows its colour scheme.
"""

from __future__ import annotations

import math
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup

from generate.charts.traces import thinned

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from generate.charts.traces import Figure, Trace

DASHES = {
    "dash": "6 4",
    "dot": "1.5 3",
    "dashdot": "6 3 1.5 3",
    "longdash": "10 4",
    "longdashdot": "10 3 2 3",
}
"""By Plotly's names."""
ANCHORS = {"left": "end", "center": "middle", "right": "start"}
"""By Plotly's text position."""
LINE_HEIGHT, BASELINE = 14, 4
"""In pixels: between two lines of text, and from the middle of a line to its baseline."""
_JOIN = Markup("").join


class Frame(NamedTuple):
    """Maps values to positions in a picture."""

    x_axis: dict[str, Any]
    y_axis: dict[str, Any]
    height: float

    def x(self, value: float) -> str:
        """Return a horizontal position, in per cent."""
        return f"{100 * _share(self.x_axis, value):.2f}".rstrip("0").rstrip(".")

    def y(self, value: float) -> str:
        """Return a vertical position, in pixels from the top."""
        return f"{self.height * (1 - _share(self.y_axis, value)):.1f}".removesuffix(".0")


def picture(figure: Figure, label: str = "") -> Markup:
    """Draw a figure; *label* is its text alternative, if the page has none around it."""
    layout = figure["layout"]
    margin = layout["margin"]
    frame = Frame(layout["xaxis"], layout["yaxis"], layout["height"] - margin["t"] - margin["b"])
    size = Markup("height: {height}px; padding: {t}px {r}px {b}px {l}px").format(height=layout["height"], **margin)
    words = Markup(' role="img" aria-label="{}"').format(label) if label else ""
    head = Markup('<svg class="picture" width="100%" style="{}"{}>').format(size, words)
    return _JOIN([head, *_axes(frame), *(_trace(trace, frame) for trace in figure["data"]), Markup("</svg>")])


def key(trace: Trace) -> Markup:
    """Draw a line's sample for the legend."""
    frame = Frame({"range": [0, 28]}, {"range": [0, 12]}, 12)
    mark = {**trace, "mode": "markers", "x": [14], "y": [6], "error_y": {}}
    line = [{**mark, "mode": "lines", "x": [1, 27], "y": [6, 6]}] if "line" in trace else []
    drawn = [_trace(each, frame) for each in [*line, mark]]
    return _JOIN([Markup('<svg class="picture key" width="28" height="12">'), *drawn, Markup("</svg>")])


def _share(axis: Mapping[str, Any], value: float) -> float:
    """Return a value's position between the ends of an axis, 0 to 1."""
    first, last = map(float, axis["range"])
    if axis.get("type") == "log":
        value = math.log10(value) if value > 0 else first
    return min(max((value - first) / (last - first), 0.0), 1.0)


def _axes(frame: Frame) -> Iterator[Markup]:
    """Draw a grid line at each tick, with names below and at the left."""
    if not frame.y_axis.get("visible", True):
        return
    for value, name in zip(frame.y_axis["tickvals"], frame.y_axis["ticktext"], strict=True):
        y = frame.y(value)
        yield Markup('<line class="grid" x2="100%" y1="{0}" y2="{0}"/>').format(y)
        yield Markup('<text class="tick" x="-6" y="{}" text-anchor="end">{}</text>').format(float(y) + BASELINE, name)
    row = Markup('<text class="tick" x="{}%" y="{:g}" text-anchor="middle">{}</text>')
    lowest = frame.height
    for value, name in zip(frame.x_axis["tickvals"], frame.x_axis["ticktext"], strict=True):
        for number, line in enumerate(name.split("<br>"), start=1):
            line_y = frame.height + 3 + LINE_HEIGHT * number
            yield row.format(frame.x(value), line_y, line)
            lowest = max(lowest, line_y)
    yield row.format(50, lowest + LINE_HEIGHT + 2, frame.x_axis["title"]["text"])


def _trace(trace: Trace, frame: Frame) -> Markup:
    meta = trace.get("meta", {})
    style = trace.get("marker") or trace.get("line") or trace.get("textfont", {})
    head = Markup('<g class="family-{}" fill="{}">').format(meta.get("family") or "unknown", style["color"])
    parts = (draw(trace, frame) for draw in (_bars, _path, _whiskers, _marks, _texts))
    return _JOIN([head, *(piece for part in parts for piece in part), Markup("</g>")])


def _bars(trace: Trace, frame: Frame) -> Iterator[Markup]:
    if trace["type"] != "bar":
        return
    marker, reach = trace["marker"], trace["width"] / 2
    line = marker.get("line", {})
    stroke = Markup(' stroke="{color}" stroke-width="{width}"').format(**line) if line.get("width") else ""
    dash = Markup(' stroke-dasharray="3 2"') if trace["meta"].get("is_tie") else ""
    box = Markup('<rect x="{}%" y="{}" width="{:.4g}%" height="{:g}" fill-opacity="{}"{}>{}</rect>')
    points = zip_longest(trace["x"], trace["y"], trace.get("base", ()), trace.get("hovertext", ()))
    for length, y, base, words in points:
        left, right = frame.x(base or 0), frame.x((base or 0) + length)
        top, bottom = sorted(float(frame.y(end)) for end in (y - reach, y + reach))
        title = Markup("<title>{}</title>").format(words) if words else ""
        width = float(right) - float(left)
        yield box.format(left, f"{top:g}", width, bottom - top, marker.get("opacity", 1), stroke + dash, title)


def _path(trace: Trace, frame: Frame) -> Iterator[Markup]:
    """Draw the line that joins the points, in a box of its own that stretches with the picture."""
    if "lines" not in trace.get("mode", ""):
        return
    line = trace["line"]
    dash = Markup(' stroke-dasharray="{}"').format(DASHES[line["dash"]]) if line.get("dash", "solid") in DASHES else ""
    points = "L".join(f"{frame.x(x)} {frame.y(y)}" for x, y in zip(trace["x"], trace["y"], strict=True))
    box = Markup('<svg viewBox="0 0 100 {0:g}" preserveAspectRatio="none" width="100%" height="{0:g}">')
    path = Markup('<path d="M{}" stroke="{}" stroke-width="{}"{}/></svg>')
    yield box.format(frame.height) + path.format(points, line["color"], line["width"], dash)


def _whiskers(trace: Trace, frame: Frame) -> Iterator[Markup]:
    """Draw horizontal or vertical ranges. A value without a range has None for its ends."""
    across = Markup('<line class="range" x1="{0}%" x2="{1}%" y1="{2}" y2="{2}"/>')
    upright = Markup('<line class="range" x1="{2}%" x2="{2}%" y1="{0}" y2="{1}"/>')
    for line, name, other in ((across, "x", "y"), (upright, "y", "x")):
        error = trace.get(f"error_{name}") or {"arrayminus": (), "array": ()}
        along, across_it = getattr(frame, name), getattr(frame, other)
        for value, at, below, above in zip(
            trace[name], trace[other], error["arrayminus"], error["array"], strict=False
        ):
            if below is not None and above is not None:
                yield line.format(along(value - below), along(value + above), across_it(at))


def _marks(trace: Trace, frame: Frame) -> Iterable[Markup]:
    if "markers" not in trace.get("mode", ""):
        return []
    marker, points = trace["marker"], [*zip(trace["x"], trace["y"], strict=True)]
    if trace["meta"].get("is_run"):
        dot = Markup('<circle cx="{}%" cy="{}"/>')
        return [dot.format(frame.x(x), frame.y(y)) for x, y in points]
    mark = Markup('<rect class="mark" x="{}%" y="{}"/>')
    return [mark.format(frame.x(x), frame.y(y)) for x, y in thinned(points, marker.get("maxdisplayed", len(points)))]


def _texts(trace: Trace, frame: Frame) -> Iterator[Markup]:
    if trace.get("mode") != "text":
        return
    anchor = ANCHORS[trace["textposition"].rpartition(" ")[2]]
    is_bold = Markup(' font-weight="600"') if "weight" in trace["textfont"] else ""
    text = Markup('<text x="{}%" y="{:g}" text-anchor="{}"{}>{}</text>')
    for x, y, written in zip(trace["x"], trace["y"], trace["text"], strict=True):
        yield text.format(frame.x(x), float(frame.y(y)) + BASELINE, anchor, is_bold, written)
