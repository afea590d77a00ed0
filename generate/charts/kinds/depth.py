"""How deep a queue was as its items were taken."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from generate.charts.lines import line_figure
from generate.charts.scale import Scale, number_axis
from generate.charts.traces import thinned
from generate.words import patterns
from generate.words.names import list_names, without_comma
from generate.words.numbers import count_noun

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generate.charts.chart import Chart, Subject

PLACE = 4
COLUMN = "depth_trace_count"
EXACT = "depth_max_count"
"""The metric with the greatest depth of all. The trace only has samples."""


def draw(subject: Subject) -> Chart | None:
    """Draw how deep a queue was as its items were taken; None without such a trace."""
    traces = {row.runner: thinned(samples[0]) for row, samples in subject.lists(COLUMN)}
    if not traces:
        return None
    exact = _exact(subject)
    greatest = {runner: exact.get(runner, max(depths)) for runner, depths in traces.items()}
    drawn = [
        subject.line(
            runner,
            [100 * number / max(len(depths) - 1, 1) for number in range(len(depths))],
            depths,
            patterns.AT_MOST.format(f"{greatest[runner]:,}"),
        )
        for runner, depths in traces.items()
    ]
    across = number_axis("Items taken (%)", Scale(0.0, 100.0, log=False))
    up = number_axis("Items in the queue", Scale(0.0, max(*greatest.values(), 1), log=False))
    summary = [patterns.QUEUES_CAPTION.format(day=subject.result.record.run.started[:10])]
    words = {subject.words(runner): depth for runner, depth in greatest.items()}
    return subject.chart(title(words), summary, line_figure(drawn, across, up), [subject.result.newest])


def title(greatest: Mapping[str, int]) -> str:
    """Name each queue's greatest depth, the fullest first."""
    queues: dict[int, list[str]] = defaultdict(list)
    for name, depth in sorted(greatest.items(), key=lambda item: -item[1]):
        queues[depth].append(without_comma(name))
    depths = (
        patterns.QUEUES_DEPTH.format(
            items=f"{depth:,}" if number else count_noun(depth, "item"), names=list_names(names)
        )
        for number, (depth, names) in enumerate(queues.items())
    )
    return patterns.QUEUES_FULLEST.format(depths=", ".join(depths))


def _exact(subject: Subject) -> dict[str, int]:
    """Return the greatest depth of all rounds by runner."""
    rows = subject.site.case_rows(subject.result, subject.scenario.name, subject.case)
    return {row.runner: round(row.value.high) for row in rows if row.metric == EXACT and row.value}
