"""What the figures of all charts share: a family's look, ranges, runs, labels, and the frame around them.

A figure is a dict for `plotly.graph_objects.Figure`. Only tests pass it there: validating each would take
twice as long as drawing it. Colours are custom properties of the page, such as `var(--family-threads)`: svg.py
leaves them to the style sheet, and assets/charts.js looks them up. The `meta` of a trace has its family.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from generate.charts.scale import drawn_range, short
from generate.data.estimates import Estimate
from runners.harness.catalogue.family_colours import FAMILIES

Point = TypeVar("Point")
Figure = dict[str, Any]
"""`data` and `layout`."""
Trace = dict[str, Any]
"""One of a figure's `data`."""

LINE_COLOURS = (
    ("#0d7f99", "#4fc3d9"),
    ("#5f7a00", "#b5cf3a"),
    ("#b0389a", "#f08bd2"),
    ("#7d5a3c", "#c9a27e"),
    ("#4f63e0", "#9aa7ff"),
    ("#1d6b4a", "#8fd9b0"),
)
"""On light and dark pages, for charts with several lines of a family: the first has the family's own."""
INK, PAPER, SOFT = "var(--ink)", "var(--paper)", "var(--ink-soft)"
RULE, RULE_STRONG, ACCENT = "var(--rule)", "var(--rule-strong)", "var(--link)"
FONT_SIZE = 12
EN_SPACE = "\N{EN SPACE}"
DOTTED = "2px,3px"
MOST_POINTS = 100
"""Per line: more can't be seen, and a page holds many charts."""


def colour(family: str) -> str:
    return f"var(--family-{family})" if family in FAMILIES else ACCENT


def family_place(family: str | None) -> int:
    """Return the place of a family among all; unknown ones are last."""
    return [*FAMILIES].index(family) if family in FAMILIES else len(FAMILIES)


def with_hover(texts: Sequence[str]) -> Trace:
    """Return the text that each point shows to a pointer."""
    return {"hovertext": texts, "hovertemplate": "%{hovertext}<extra>%{fullData.name}</extra>"} if texts else {}


def whiskers(estimates: Sequence[Estimate]) -> Trace:
    """Return the distances from values to the ends of their ranges; None for an estimate without a range."""
    ranges = [(each.value, *(drawn_range(each) or (None, None))) for each in estimates]
    return {
        "type": "data",
        "symmetric": False,
        "array": [None if high is None else short(high - value) for value, _, high in ranges],
        "arrayminus": [None if low is None else short(value - low) for value, low, _ in ranges],
        "color": INK,
        "thickness": 1.5,
        "width": 4,
    }


def marks(family: str, x: Sequence[float], y: Sequence[float], own_colour: str = "") -> Trace:
    symbol = FAMILIES[family].symbol if family in FAMILIES else "circle"
    marker = {"color": own_colour or colour(family), "symbol": symbol, "size": 8}
    return {"type": "scatter", "mode": "markers", "meta": {"family": family}, "x": x, "y": y, "marker": marker}


def runs(family: str, x: Sequence[float], y: Sequence[float]) -> Trace:
    """Return a small dot for each run."""
    marker = {"color": PAPER, "size": 4, "line": {"color": SOFT, "width": 1}}
    meta = {"family": family, "is_run": True}
    return {"type": "scatter", "mode": "markers", "meta": meta, "x": x, "y": y, "marker": marker, "hoverinfo": "skip"}


def words(x: float, y: float, text: str, *, is_heading: bool = False) -> Trace:
    """Return text right of a position."""
    trace = {"type": "scatter", "mode": "text", "x": [x], "y": [y], "text": [text], "textposition": "middle right"}
    font = {"color": INK, **({"weight": 600} if is_heading else {})}
    return {**trace, "textfont": font, "cliponaxis": False, "hoverinfo": "skip"}


def vertical_line(x: float, top: float, bottom: float) -> Trace:
    """Return a dotted line, for a limit or a usual choice."""
    return straight_line([short(x)] * 2, [top, bottom], "var(--ideal)", 1.5, DOTTED)


def straight_line(x: Sequence[float], y: Sequence[float], own_colour: str, width: float, dash: str = "solid") -> Trace:
    """Return a line that carries no values."""
    style = {"width": width, "dash": dash, "color": own_colour}
    trace = {"type": "scatter", "mode": "lines", "x": [*x], "y": [*y], "line": style}
    return {**trace, "hoverinfo": "skip", "cliponaxis": False}


def room_below(across: Figure) -> int:
    """Return the height that an axis needs for its names and title."""
    lines = max(str(name).count("<br>") + 1 for name in across["ticktext"])
    return 16 + (FONT_SIZE + 4) * (lines + 1)


def thin_out(points: Sequence[Point], most: int = MOST_POINTS) -> list[Point]:
    """Return at most this many points, evenly, with both ends."""
    if len(points) <= most:
        return [*points]
    return [points[round(number * (len(points) - 1) / (most - 1))] for number in range(most)]


def figure(data: Sequence[Trace], height: int, layout: Mapping[str, Any]) -> Figure:
    """Return a figure that fills the width, *height* pixels high."""
    axis = {"color": SOFT, "gridcolor": RULE, "linecolor": RULE, "zerolinecolor": RULE, "fixedrange": True}
    frame = {
        "height": height,
        "margin": {"l": 0, "r": 0, "t": 0, "b": 0},
        "showlegend": False,
        "dragmode": False,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": "var(--sans)", "size": FONT_SIZE, "color": INK},
        "hoverlabel": {"bgcolor": "var(--paper-raised)", "bordercolor": RULE, "font": {"color": INK}},
    }
    axes = {name: {**axis, **layout[name]} for name in ("xaxis", "yaxis")}
    return {"data": [*data], "layout": {**frame, **layout, **axes}}
