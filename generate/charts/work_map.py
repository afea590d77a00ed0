"""The map as a picture: for each number of tasks a grid of computing by waiting, coloured by the fastest family. Pure.

Static SVG, so that it is there at once, in print and without JavaScript.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from generate.data.work_map import family_at
from generate.words.numbers import format_estimate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from generate.data.work_map import MapPoint

LEFT, TOP = 58, 40
CELL_WIDTH, CELL_HEIGHT = 74, 44
SHORT = {"sync": "loop", "interpreters": "interpret."}
"""Names of families that fit a cell."""


class Drawn(NamedTuple):
    """One grid."""

    tasks: int
    compute_us: Sequence[int]
    wait_us: Sequence[int]
    points: Mapping[tuple[int, int], MapPoint]
    """By computing and waiting, us; points that are absent were left out on purpose."""


def grid_of(points: Sequence[MapPoint]) -> Drawn:
    """Return the grid of points of one kind and number of tasks."""
    by_place = {(each.point.compute_us, each.point.wait_us): each for each in points}
    computing, waiting = ({place[axis] for place in by_place} for axis in (0, 1))
    return Drawn(points[0].point.tasks, sorted(computing), sorted(waiting), by_place)


def duration(duration_us: int) -> str:
    """Write microseconds: 0, 0.1 ms, 10 ms."""
    return f"{duration_us / 1_000:g} ms" if duration_us else "0"


def picture(drawn: Drawn, families: Mapping[str, str], name: str) -> Markup:
    """Draw one grid; *families* by model, *name* for its ids."""
    width = LEFT + CELL_WIDTH * len(drawn.wait_us)
    height = TOP + CELL_HEIGHT * len(drawn.compute_us) + 4
    title = f"{drawn.tasks:,} {'task' if drawn.tasks == 1 else 'tasks'}"
    parts = [
        Markup('<svg viewBox="0 0 {} {}" role="img" aria-labelledby="{}">').format(width, height, name),
        Markup('<title id="{}">{}: who is fastest, by how long each computes and waits</title>').format(name, title),
        _text(LEFT + CELL_WIDTH * len(drawn.wait_us) / 2, 12, "each waits"),
        _text(0, 32, "computes", "map__row"),
    ]
    for column, wait_us in enumerate(drawn.wait_us):
        parts.append(_text(LEFT + CELL_WIDTH * (column + 0.5), 32, duration(wait_us)))
    for row, compute_us in enumerate(drawn.compute_us):
        top = TOP + CELL_HEIGHT * row
        parts.append(_text(0, top + CELL_HEIGHT / 2 + 4, duration(compute_us), "map__row"))
        for column, wait_us in enumerate(drawn.wait_us):
            point = drawn.points.get((compute_us, wait_us))
            parts += _cell(point, families, LEFT + CELL_WIDTH * column, top)
    return Markup("").join([*parts, Markup("</svg>")])


def _cell(point: MapPoint | None, families: Mapping[str, str], left: int, top: int) -> list[Markup]:
    """Draw one point: the family of the fastest, its time, and which others may be as fast."""
    group = Markup('<g class="map__cell {}" transform="translate({} {})">')
    box = Markup('<rect width="{}" height="{}"/>').format(CELL_WIDTH - 3, CELL_HEIGHT - 3)
    if point is None or not point.measured:
        return [group.format("map__cell--none", left, top), box, Markup("</g>")]
    names = point.families(families)
    tie = " map__cell--undecided" if point.is_undecided else " map__cell--tie" if len(names) > 1 else ""
    beside = "undecided" if point.is_undecided else _others(names[1:])
    lines = (SHORT.get(names[0], names[0]), format_estimate(point.measured[0].estimate, "ns"), beside)
    middle = (CELL_WIDTH - 3) / 2
    return [
        group.format(f"family-{names[0]}{tie}", left, top),
        Markup("<title>{}</title>").format(words(point, families)),
        box,
        *(_text(middle, y, line) for y, line in zip((14, 26, 37), lines, strict=True) if line),
        Markup("</g>"),
    ]


def _others(names: Sequence[str]) -> str:
    """Name another family that may be as fast, or how many there are."""
    if len(names) > 1:
        return f"or {len(names)} others"
    return f"or {SHORT.get(names[0], names[0])}" if names else ""


def words(point: MapPoint, families: Mapping[str, str]) -> str:
    """Return what a cell shows, for a pointer that rests on it and for screen readers."""

    def named(models: Sequence[str]) -> str:
        return ", ".join(f"{each.replace('_', ' ')} ({family_at(point.point, each, families)})" for each in models)

    place = f"computes {duration(point.point.compute_us)}, waits {duration(point.point.wait_us)}"
    perhaps = f"; perhaps as fast: {named(point.undecided)}" if point.undecided else ""
    return f"{place}: {named(point.best)}, {format_estimate(point.measured[0].estimate, 'ns')}{perhaps}"


def _text(x: float, y: float, text: str, kind: str = "") -> Markup:
    """Write text centred on *x*; the style sheet places text of a *kind*."""
    name = Markup(' class="{}"').format(kind) if kind else ""
    return Markup('<text{} x="{:g}" y="{:g}">{}</text>').format(name, x, y, text)
