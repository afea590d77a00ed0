"""The share of requests that were answered within a time."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from generate.charts.lines import line_figure
from generate.charts.scale import Scale, number_axis
from generate.charts.traces import thinned
from generate.data.estimates import percentile
from generate.words import patterns
from generate.words.names import without_comma
from generate.words.numbers import format_value
from generate.words.units import axis_scale

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from generate.charts.chart import Chart, Subject
    from generate.charts.lines import Line

PLACE = 3
COLUMN = "latency_steps_us"
UNIT = "us"


def draw(subject: Subject) -> Chart | None:
    """Draw the share of requests answered within a time; None without latencies."""
    latencies = {
        row.runner: sorted(max(latency, 1) for steps in samples for latency in accumulate(steps))
        for row, samples in subject.lists(COLUMN)
    }
    if not latencies:
        return None
    within = {runner: percentile(each, 99) for runner, each in latencies.items()}
    runners = sorted(within, key=lambda runner: within[runner])
    drawn = [_line(subject, runner, latencies[runner]) for runner in runners]
    unit = axis_scale(UNIT, within.values())
    scale = Scale.spanning([latency for each in latencies.values() for latency in each])
    across = number_axis(f"Latency ({unit.sign}); log scale", scale, unit.size)
    up = number_axis("Requests answered (%)", Scale(0.0, 100.0, log=False))
    words = title({subject.words(runner): within[runner] for runner in runners})
    summary = [patterns.LATENCIES_CAPTION.format(day=subject.result.record.run.started[:10])]
    return subject.chart(words, summary, line_figure(drawn, across, up), [subject.result.newest])


def title(within_us: Mapping[str, float]) -> str:
    """Name the fastest and the slowest 99th percentile; *within_us* is in ascending order."""
    names = [*within_us]
    times = [
        patterns.LATENCIES_BY.format(time=format_value(within_us[name], UNIT), name=without_comma(name))
        for name in dict.fromkeys([names[0], names[-1]])
    ]
    return patterns.LATENCIES_WITHIN.format(times=", ".join(times))


def _line(subject: Subject, runner: str, latencies: Sequence[int]) -> Line:
    half, most = (format_value(percentile(latencies, share), UNIT) for share in (50, 99))
    shares = [100 * (number + 1) / len(latencies) for number in range(len(latencies))]
    legend = patterns.LATENCIES_PERCENTILES.format(half=half, most=most)
    return subject.line(runner, thinned(latencies), thinned(shares), legend)
