"""Each runner on the builds of the current machine: dots, those without the GIL apart."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from generate.charts.chart import Measure, ends
from generate.charts.findings import of_builds
from generate.charts.lines import Axis, LinePlot, numbered
from generate.charts.scale import Scale
from generate.text.builds import short_build

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generate.analysis.selection import CellResult
    from generate.charts.chart import Chart, Subject

PLACE = 5
APART = 0.6
"""How far the builds without the GIL stand from the others, in places."""
SPREAD = 0.7
"""Over how much of its place the dots of one build are spread, so that those of like height are all seen."""
MOST_NAMED = 9
"""So many builds have room for their names; of more, only some are named."""


def draw(subject: Subject) -> Chart | None:
    """Draw the builds beside the current one; None for any other, and where there is one build alone."""
    if not subject.is_first:
        return None
    cells = subject.site.beside_each_other(subject.scenario.name, subject.case)
    cells = sorted(cells, key=lambda cell: cell.record.build.free_threaded)
    rows = {cell.file.path: {row.runner: row for row in subject.rows(cell)} for cell in cells}
    current = [*rows[subject.cell.file.path]]
    runners = [*current, *sorted({runner for found in rows.values() for runner in found} - {*current})]
    if len(cells) == 1 or all(sum(runner in found for found in rows.values()) == 1 for runner in runners):
        return None
    measure = Measure.of(subject.metric, (row.median or 0.0 for found in rows.values() for row in found.values()))
    names, places = _names(cells), _places(cells)
    lines = []
    for number, runner in enumerate(runners):
        beside = SPREAD * ((number + 0.5) / len(runners) - 0.5)
        drawn = [
            (rows[cell.file.path][runner], place + beside, name)
            for cell, place, name in zip(cells, places, names, strict=True)
            if runner in rows[cell.file.path]
        ]
        points = [measure.point(place, row, name.replace("\n", " ")) for row, place, name in drawn]
        lines.append(subject.line(drawn[0][0], points, ends([row for row, _, _ in drawn])))
    scale = measure.scale(point for line in lines for point in line.points)
    every = -(-len(cells) // MOST_NAMED)
    ticks = [(place, name) for place, name in zip(places, names, strict=True)][::every]
    plot = LinePlot(
        numbered(lines),
        Axis("Python", Scale(0.0, places[-1] + 0.5, log=False), ticks),
        Axis.of(measure.title, scale),
        is_joined=False,
        direction=measure.direction,
    )
    first, last = (name.replace("\n", ", ") for name in (names[0], names[-1]))
    summary = f"Medians with their intervals, from {first} to {last}; the legend has those of the two."
    return replace(subject.chart(of_builds(subject, cells), summary, plot), cells=tuple(cells))


def _places(cells: Sequence[CellResult]) -> list[float]:
    """Return where each build stands: one after the other, those without the GIL apart."""
    return [number + 0.5 + APART * cell.record.build.free_threaded for number, cell in enumerate(cells)]


def _names(cells: Sequence[CellResult]) -> list[str]:
    """Name each build as shortly as tells it from the others: by its release, or by its whole version."""
    short = [short_build(cell.record.build) for cell in cells]
    counts = Counter(short)
    return [
        name if counts[name] == 1 else short_build(cell.record.build, is_whole=True)
        for name, cell in zip(short, cells, strict=True)
    ]
