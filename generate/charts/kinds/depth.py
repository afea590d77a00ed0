"""How deep a queue was as its items were taken."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from generate.charts.findings import of_depths
from generate.charts.lines import Axis, LinePlot, Point, numbered
from generate.charts.scale import Scale

if TYPE_CHECKING:
    from generate.charts.chart import Chart, Subject

PLACE = 4
COLUMN = "depth_trace_count"
EXACT = "depth_max_count"
"""The metric that has the greatest depth of all: the trace has only some."""


def draw(subject: Subject) -> Chart | None:
    """Draw how deep a queue was as its items were taken; None without such a trace."""
    found = [(row, samples[0]) for row, samples in subject.lists(COLUMN)]
    if not found:
        return None
    exact = _exact(subject)
    greatest = {row.runner: exact.get(row.runner, max(depths)) for row, depths in found}
    lines = []
    for row, depths in found:
        share = 100 / max(len(depths) - 1, 1)
        points = [Point(share * number, depth) for number, depth in enumerate(depths)]
        lines.append(subject.line(row, points, f"at most {greatest[row.runner]:,}"))
    deepest = _round_up(max(max(depths) for _, depths in found))
    plot = LinePlot(
        numbered(lines),
        Axis.of("Items taken (%)", Scale(0.0, 100.0, log=False)),
        Axis.of("Items in the queue", Scale(0.0, deepest or 1.0, log=False)),
    )
    title = of_depths({subject.words(row.runner): greatest[row.runner] for row, _ in found})
    summary = f"Depth as the items were taken, in the first round of {subject.run_words}."
    return subject.chart(title, summary, plot, [subject.cell.newest])


def _round_up(depth: float) -> float:
    """Return a depth rounded up to two digits, so that the axis names its end: 100,000 for 99,999."""
    step = 10.0 ** max(len(str(int(depth))) - 2, 0)
    return math.ceil(depth / step) * step


def _exact(subject: Subject) -> dict[str, int]:
    """Return the greatest depth of all rounds by runner."""
    rows = subject.site.case_rows(subject.cell, subject.scenario.name, subject.case)
    return {row.runner: round(row.value.high) for row in rows if row.metric == EXACT and row.value}
