"""Each runner over the builds of the current machine."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from generate.charts.chart import ends, factor_of, line, lines, short, value_axis, whisker
from generate.text.names import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generate.analysis.summary import Summary
    from generate.charts.chart import Chart, Subject, Trace

PLACE = 5


def draw(subject: Subject) -> Chart | None:
    """Draw the builds beside the current one; None for any other, and where there is one build alone."""
    if not subject.is_first:
        return None
    cells = subject.site.beside_each_other(subject.scenario.name, subject.case)
    found: dict[str, list[tuple[str, Summary]]] = defaultdict(list)
    for cell in cells:
        for row in subject.rows(cell):
            found[row.runner].append((plain(cell.build), row))
    if len(cells) == 1 or all(len(rows) == 1 for rows in found.values()):
        return None
    factor, unit = factor_of(subject.metric.unit)
    names = [plain(cell.build) for cell in cells]
    figure = lines(
        [_over_builds(rows, factor) for rows in found.values()],
        {"type": "category", "categoryarray": names, "categoryorder": "array"},
        value_axis(unit, (row for rows in found.values() for _, row in rows)),
    )
    told = "; ".join(ends([row for _, row in rows]) for rows in found.values())
    summary = f"Medians with their intervals, from {names[0]} to {names[-1]}: {told}."
    title = f"{subject.metric.title}, {subject.case}, by build"
    return replace(subject.chart(title, summary, figure), cells=tuple(cells))


def _over_builds(rows: Sequence[tuple[str, Summary]], factor: float) -> Trace:
    return {
        **line(rows[0][1]),
        "x": [build for build, _ in rows],
        "y": [short((row.median or 0.0) * factor) for _, row in rows],
        "error_y": whisker([row for _, row in rows], factor),
    }
