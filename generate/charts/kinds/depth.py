"""How deep a queue was as its items were taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generate.charts.chart import FEW_MARKS, line, lines, short, titled

if TYPE_CHECKING:
    from generate.charts.chart import Chart, Subject

PLACE = 4
COLUMN = "depth_trace_count"


def draw(subject: Subject) -> Chart | None:
    """Draw how deep a queue was as its items were taken; None without such a trace."""
    traces = []
    for row, samples in subject.lists(COLUMN):
        first = samples[0]
        share = [short(100 * k / max(len(first) - 1, 1)) for k in range(len(first))]
        traces.append(line(row, marker=FEW_MARKS, x=share, y=first))
    if not traces:
        return None
    deepest = "; ".join(f"{trace['name']} {max(trace['y']):,}" for trace in traces)  # of the points that are drawn
    return subject.chart(
        f"Depth of the queue, {subject.case}",
        f"Depth as the items were taken, in the first round. Deepest of the points that are drawn: {deepest}.",
        lines(traces, titled("Items taken (%)"), titled("Items in the queue", rangemode="tozero")),
    )
