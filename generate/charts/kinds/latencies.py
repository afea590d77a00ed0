"""The share of requests that were answered within a time."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from generate.charts.chart import log_scale
from generate.charts.findings import of_latencies
from generate.charts.lines import Axis, LinePlot, Point, numbered
from generate.charts.scale import Scale
from generate.data.estimates import percentile
from generate.words.numbers import format_value
from generate.words.units import axis_scale

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generate.charts.chart import Chart, Subject

PLACE = 3
ECDF_POINTS = 200
COLUMN = "latency_steps_us"
UNIT = "us"


def draw(subject: Subject) -> Chart | None:
    """Draw the share of requests answered within a time; None without latencies."""
    found = [
        (row, sorted(latency for steps in samples for latency in accumulate(steps)))
        for row, samples in subject.lists(COLUMN)
    ]
    if not found:
        return None
    within = {row.runner: percentile(latencies, 99) for row, latencies in found}
    found.sort(key=lambda of_runner: within[of_runner[0].runner])
    unit = axis_scale(UNIT, within.values())
    lines = [
        subject.line(
            row,
            _steps(latencies, 1 / unit.size),
            f"half within {format_value(percentile(latencies, 50), UNIT)},"
            f" 99 of 100 within {format_value(within[row.runner], UNIT)}",
        )
        for row, latencies in found
    ]
    plot = LinePlot(
        numbered(lines),
        Axis.of(f"Latency ({unit.sign}); log scale", log_scale(point.x for line in lines for point in line.points)),
        Axis.of("Requests answered (%)", Scale(0.0, 100.0, log=False)),
    )
    title = of_latencies({subject.words(row.runner): within[row.runner] for row, _ in found})
    summary = f"Share of requests that were answered within a time, over all rounds of {subject.run_words}."
    return subject.chart(title, summary, plot, [subject.cell.newest])


def _steps(latencies: Sequence[int], factor: float) -> list[Point]:
    picked = [round(number * (len(latencies) - 1) / (ECDF_POINTS - 1)) for number in range(ECDF_POINTS)]
    return [Point(max(latencies[index], 1) * factor, 100 * (index + 1) / len(latencies)) for index in picked]
