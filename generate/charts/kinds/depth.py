"""How deep a queue was as its items were taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generate.charts.findings import of_depths
from generate.charts.lines import Axis, LinePlot, Point, numbered
from generate.charts.scale import Scale

if TYPE_CHECKING:
    from generate.charts.chart import Chart, Subject

PLACE = 4
COLUMN = "depth_trace_count"


def draw(subject: Subject) -> Chart | None:
    """Draw how deep a queue was as its items were taken; None without such a trace."""
    found = [(row, samples[0]) for row, samples in subject.lists(COLUMN)]
    if not found:
        return None
    lines = []
    for row, depths in found:
        share = 100 / max(len(depths) - 1, 1)
        points = [Point(share * number, depth) for number, depth in enumerate(depths)]
        lines.append(subject.line(row, points, f"at most {max(depths):,} at the points that are drawn"))
    deepest = max(max(depths) for _, depths in found)
    plot = LinePlot(
        numbered(lines),
        Axis.of("Items taken (%)", Scale(0.0, 100.0, log=False)),
        Axis.of("Items in the queue", Scale(0.0, deepest or 1.0, log=False)),
    )
    title = of_depths({subject.words(row.runner): max(depths) for row, depths in found})
    return subject.chart(title, "Depth as the items were taken, in the first round.", plot)
