"""The figure of the map: who is fastest for which work."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from generate.charts import svg
from generate.charts.traces import EN_SPACE, INK, SOFT, colour, figure, with_hover, words
from generate.data.work_map import family_at
from generate.words.numbers import count_noun, format_estimate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from markupsafe import Markup

    from generate.charts.traces import Figure, Trace
    from generate.data.work_map import MapPoint

ROW_HEIGHT, LINE_HEIGHT, FREE = 50, 14, 3
"""In pixels. FREE is the gap between cells."""
FREE_ACROSS = 0.04
"""Gap between cells, as a share of their width."""
LEFT, TOP = 66, 40
"""Pixels for the labels of a map: computing times on the left, waits at the top."""
TINT = 0.24
SHORT = {"sync": "loop", "interpreters": "interpret."}
"""Names of families that fit a cell."""


class Grid(NamedTuple):
    """The points of a map of one number of tasks."""

    tasks: int
    compute_us: Sequence[int]
    wait_us: Sequence[int]
    points: Mapping[tuple[int, int], MapPoint]
    """By computing and waiting. Absent points were left out on purpose."""


def make_grid(points: Sequence[MapPoint]) -> Grid:
    """Return the grid of points of one kind and number of tasks."""
    by_place = {(each.point.compute_us, each.point.wait_us): each for each in points}
    computing, waiting = ({place[axis] for place in by_place} for axis in (0, 1))
    return Grid(points[0].point.tasks, sorted(computing), sorted(waiting), by_place)


def duration(duration_us: int) -> str:
    """Format microseconds: 0, 0.1 ms, 10 ms."""
    return f"{duration_us / 1_000:g} ms" if duration_us else "0"


def map_picture(grid: Grid, families: Mapping[str, str]) -> Markup:
    """Draw a map as SVG; *families* by model."""
    tasks = count_noun(grid.tasks, "task")
    return svg.picture(map_figure(grid, families), f"{tasks}: who is fastest, by how long each computes and waits")


def map_figure(grid: Grid, families: Mapping[str, str]) -> Figure:
    """Draw who is fastest, by how long each task computes and waits; *families* by model."""
    columns, rows = len(grid.wait_us), len(grid.compute_us)
    heads = [*map(duration, grid.wait_us), "each waits"]
    places = [*(column + 0.5 for column in range(columns)), columns / 2]
    traces = [words(places, [*[TOP - 10] * columns, 8], heads, "middle center")]
    middles = [TOP + ROW_HEIGHT * (row + 0.5) for row in range(rows)]
    sides = [f"computes{EN_SPACE}", *(f"{duration(compute_us)}{EN_SPACE}" for compute_us in grid.compute_us)]
    traces.append(words([0] * (rows + 1), [TOP - 10, *middles], sides, "middle left"))
    for middle, compute_us in zip(middles, grid.compute_us, strict=True):
        for column, wait_us in enumerate(grid.wait_us):
            traces += _map_cell(grid.points.get((compute_us, wait_us)), families, column, middle)
    height = TOP + ROW_HEIGHT * rows
    axes = {"xaxis": {"range": [0, columns], "visible": False}, "yaxis": {"range": [height, 0], "visible": False}}
    return figure(traces, height, {**axes, "margin": {"l": LEFT, "r": 0, "t": 0, "b": 0}})


def _map_cell(point: MapPoint | None, families: Mapping[str, str], column: int, middle: float) -> list[Trace]:
    """Draw the family of the fastest, its time, and which others may be as fast."""
    if point is None or not point.measured:
        return [_cell((column, middle))]
    names = point.families(families)
    tint = 0 if point.is_undecided else TINT
    box = _cell((column, middle), names[0], tint, is_tie=point.is_undecided or len(names) > 1)
    others = "undecided" if point.is_undecided else _others(names[1:])
    lines = [SHORT.get(names[0], names[0]), format_estimate(point.measured[0].estimate, "ns"), others]
    tops = [middle + LINE_HEIGHT * (number - 1) for number in range(len(lines))]
    named, *more = (words([column + 0.5], [y], [line], "middle center") for y, line in zip(tops, lines, strict=True))
    named["textfont"]["weight"] = 600
    return [{**box, **with_hover([describe_hover(point, families)])}, named, *more]


def _others(names: Sequence[str]) -> str:
    """Name another family that may be as fast, or how many there are."""
    if len(names) > 1:
        return f"or {len(names)} others"
    return f"or {SHORT.get(names[0], names[0])}" if names else ""


def describe_hover(point: MapPoint, families: Mapping[str, str]) -> str:
    """Describe a point of the map, for pointers and screen readers."""

    def named(models: Sequence[str]) -> str:
        return ", ".join(f"{each.replace('_', ' ')} ({family_at(point.point, each, families)})" for each in models)

    place = f"computes {duration(point.point.compute_us)}, waits {duration(point.point.wait_us)}"
    perhaps = f"; perhaps as fast: {named(point.undecided)}" if point.undecided else ""
    return f"{place}: {named(point.best)}, {format_estimate(point.measured[0].estimate, 'ns')}{perhaps}"


def _cell(place: tuple[int, float], family: str | None = None, tint: float = 0, *, is_tie: bool = False) -> Trace:
    column, middle = place
    line = {"color": colour(family) if family else SOFT, "width": 1.5 if family else 0.5}
    return {
        "type": "bar",
        "orientation": "h",
        "meta": {"family": family, "is_tie": is_tie},
        "x": [1 - FREE_ACROSS],
        "base": [column + FREE_ACROSS / 2],
        "y": [middle],
        "width": ROW_HEIGHT - FREE,
        "marker": {"color": colour(family) if family else INK, "opacity": tint, "line": line},
    }
