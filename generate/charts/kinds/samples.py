"""Lines from raw samples of the newest full run: when requests were answered, and how deep a queue was."""

from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Any

from generate.charts.chart import Chart, Subject
from generate.charts.lines import line_figure
from generate.charts.scale import Scale, number_axis
from generate.charts.traces import thin_out
from generate.data.read import read_series
from generate.words import patterns
from generate.words.names import quote_commas
from generate.words.numbers import format_value
from generate.words.units import axis_scale
from runners.harness.http_load.schedule import nearest_rank
from runners.harness.record.model import SeriesKey

UNIT = "us"
PERCENT = Scale(0.0, 100.0, log=False)


def draw_latencies(subject: Subject) -> Chart | None:
    """Draw the share of requests answered within a time; None without latencies."""
    latencies = {
        runner: sorted(max(latency, 1) for steps in samples for latency in accumulate(steps))
        for runner, samples in runner_samples(subject, "latency_steps_us")
    }
    if not latencies:
        return None
    within = {runner: nearest_rank(each, 99) for runner, each in latencies.items()}
    lines = []
    for runner in sorted(within, key=lambda runner: within[runner]):
        count = len(latencies[runner])
        half, most = (format_value(nearest_rank(latencies[runner], share), UNIT) for share in (50, 99))
        legend = patterns.LATENCIES_PERCENTILES.format(half=half, most=most)
        shares = thin_out([100 * (number + 1) / count for number in range(count)])
        lines.append(subject.line(runner, thin_out(latencies[runner]), shares, legend))
    unit = axis_scale(UNIT, within.values())
    scale = Scale.spanning([latency for each in latencies.values() for latency in each])
    across = number_axis(f"Latency ({unit.sign}); log scale", scale, unit.size)
    figure = line_figure(lines, across, number_axis("Requests answered (%)", PERCENT))
    title = latencies_title({subject.label(runner): time for runner, time in within.items()})
    summary = patterns.LATENCIES_CAPTION.format(day=subject.result.record.run.started[:10])
    return subject.chart(title, [summary], figure, [subject.result.newest])


def latencies_title(within_us: Mapping[str, float]) -> str:
    """Name the fastest and the slowest 99th percentile."""
    names = sorted(within_us, key=lambda name: within_us[name])
    times = [
        patterns.LATENCIES_BY.format(time=format_value(within_us[name], UNIT), name=quote_commas(name))
        for name in dict.fromkeys([names[0], names[-1]])
    ]
    return patterns.LATENCIES_WITHIN.format(times=", ".join(times))


def draw_depth(subject: Subject) -> Chart | None:
    """Draw how deep a queue was as its items were taken; None without such a trace."""
    traces = {runner: thin_out(samples[0]) for runner, samples in runner_samples(subject, "depth_trace_count")}
    if not traces:
        return None
    rows = subject.site.case_rows(subject.result, subject.scenario.name, subject.case)
    exact = {row.runner: round(row.value.high) for row in rows if row.metric == "depth_max_count" and row.value}
    greatest = {runner: exact.get(runner, max(depths)) for runner, depths in traces.items()}  # a trace has samples
    lines = []
    for runner, depths in traces.items():
        shares = [100 * number / max(len(depths) - 1, 1) for number in range(len(depths))]
        lines.append(subject.line(runner, shares, depths, patterns.AT_MOST.format(f"{greatest[runner]:,}")))
    up = number_axis("Items in the queue", Scale(0.0, max(*greatest.values(), 1), log=False))
    figure = line_figure(lines, number_axis("Items taken (%)", PERCENT), up)
    title = depth_title({subject.label(runner): depth for runner, depth in greatest.items()})
    summary = patterns.QUEUES_CAPTION.format(day=subject.result.record.run.started[:10])
    return subject.chart(title, [summary], figure, [subject.result.newest])


def depth_title(greatest: Mapping[str, int]) -> str:
    """Name each queue's greatest depth, the fullest first."""
    depths = (
        patterns.QUEUES_DEPTH.format(items=f"{depth:,}", name=quote_commas(name))
        for name, depth in sorted(greatest.items(), key=lambda item: -item[1])
    )
    return patterns.QUEUES_FULLEST.format(depths=", ".join(depths))


def runner_samples(subject: Subject, column: str) -> Iterator[tuple[str, list[list[Any]]]]:
    """Yield the lists of *column* by runner, from samples that are ok and have one."""
    every = read_series(subject.result.newest.file.location)
    for row in subject.rows():
        series = every.get(SeriesKey(row.scenario, row.case, row.runner, "subject"))
        values = [sample.values.get(column) for sample in series.samples.ok_rows()] if series else []
        if lists := [each for each in values if isinstance(each, list)]:
            yield row.runner, lists
