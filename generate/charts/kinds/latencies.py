"""The share of requests that were answered within a time."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from generate.charts.chart import FEW_MARKS, LOG, line, lines, short, titled
from generate.statistics.intervals import percentile
from generate.text.numbers import format_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generate.analysis.summary import Summary
    from generate.charts.chart import Chart, Subject, Trace

PLACE = 3
ECDF_POINTS = 200
COLUMN = "latency_steps_us"


def draw(subject: Subject) -> Chart | None:
    """Draw the share of requests answered within a time; None without latencies."""
    found = [
        (row, sorted(latency for steps in samples for latency in accumulate(steps)))
        for row, samples in subject.lists(COLUMN)
    ]
    if not found:
        return None
    told = "; ".join(f"{row.runner} {_within(latencies, 50)} and {_within(latencies, 99)}" for row, latencies in found)
    return subject.chart(
        f"Latencies, {subject.case}",
        f"Share of requests that were answered within a time, all rounds together. At most so long took half of them,"
        f" and 99 of a hundred: {told}.",
        lines(
            [_steps(row, latencies) for row, latencies in found],
            titled("Latency (ms)", **LOG),
            titled("Requests answered (%)", range=[0, 101]),
        ),
    )


def _steps(row: Summary, latencies: Sequence[int]) -> Trace:
    picked = [round(k * (len(latencies) - 1) / (ECDF_POINTS - 1)) for k in range(ECDF_POINTS)]
    xs = [short(latencies[k] / 1e3) for k in picked]
    ys = [short((k + 1) / len(latencies) * 100) for k in picked]
    return line(row, marker=FEW_MARKS, line={"shape": "hv"}, x=xs, y=ys)


def _within(latencies: Sequence[int], percent: int) -> str:
    """Say a percentile, as the table of percentiles computes it."""
    return format_value(percentile(latencies, percent), "us")
