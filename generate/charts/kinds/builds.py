"""Each runner over the builds of the current machine."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from generate.charts.chart import ends, factor_of, lines, medians, points_of, value_axis, whisker
from generate.text.names import plain

if TYPE_CHECKING:
    from generate.charts.chart import Chart, Points, Subject, Trace

PLACE = 5


def draw(subject: Subject) -> Chart | None:
    """Draw the builds beside the current one; None for any other, and where there is one build alone."""
    if not subject.is_first:
        return None
    cells = subject.site.beside_each_other(subject.scenario.name, subject.case)
    runners = points_of((plain(cell.build), subject.rows(cell)) for cell in cells)
    if len(cells) == 1 or all(len(points) == 1 for points in runners):
        return None
    factor, unit = factor_of(subject.metric.unit)
    names = [plain(cell.build) for cell in cells]
    figure = lines(
        [_with_whiskers(points, factor) for points in runners],
        {"type": "category", "categoryarray": names, "categoryorder": "array"},
        value_axis(unit, (row for points in runners for _, row in points)),
    )
    summary = f"Medians with their intervals, from {names[0]} to {names[-1]}: {ends(runners)}."
    title = f"{subject.metric.title}, {subject.case}, by build"
    return replace(subject.chart(title, summary, figure), cells=tuple(cells))


def _with_whiskers(points: Points, factor: float) -> Trace:
    return {**medians(points, factor), "error_y": whisker([row for _, row in points], factor)}
