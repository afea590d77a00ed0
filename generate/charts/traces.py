"""The charts that some scenarios have beside the bars: latencies, depths of queues, sweeps of one parameter. Pure."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING

from generate.charts.chart import LOG, Subject, ends, factor_of, line, lines, long_line, short, titled, value_axis
from generate.statistics.intervals import percentile
from generate.text.numbers import format_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generate.analysis.summary import Summary
    from generate.charts.chart import Chart, Trace
    from runners.harness.catalogue.scenarios import Scenario

ECDF_POINTS = 200
TRACE = "depth_trace_count"
LATENCIES = "latency_steps_us"
FEWEST_OF_SWEEP = 3
"""So many values of a parameter make a line worth drawing."""
Points = list[tuple[float, "Summary"]]
"""A runner's medians by the value of the parameter."""


def ecdf(subject: Subject) -> Chart | None:
    """Draw the share of requests answered within a time; None without latencies."""
    found = [
        (row, sorted(latency for steps in samples for latency in accumulate(steps)))
        for row, samples in subject.lists(LATENCIES)
    ]
    if not found:
        return None
    told = "; ".join(f"{row.runner} {_within(latencies, 50)} and {_within(latencies, 99)}" for row, latencies in found)
    return subject.chart(
        "latencies",
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
    return {
        **long_line(row),
        "line": {"shape": "hv"},
        "x": [short(latencies[k] / 1e3) for k in picked],
        "y": [short((k + 1) / len(latencies) * 100) for k in picked],
    }


def _within(latencies: Sequence[int], percent: int) -> str:
    """Say a percentile, as the table of percentiles reckons it."""
    return format_value(percentile(latencies, percent), "us")


def depth(subject: Subject) -> Chart | None:
    """Draw how deep a queue was as its items were taken; None without such a trace."""
    traces = []
    for row, samples in subject.lists(TRACE):
        first = samples[0]
        share = [short(100 * k / max(len(first) - 1, 1)) for k in range(len(first))]
        traces.append({**long_line(row), "x": share, "y": first})
    if not traces:
        return None
    deepest = "; ".join(f"{trace['name']} {max(trace['y']):,}" for trace in traces)  # of the points that are drawn
    return subject.chart(
        "depth",
        f"Depth of the queue, {subject.case}",
        f"Depth as the items were taken, in the first round. Deepest of the points that are drawn: {deepest}.",
        lines(traces, titled("Items taken (%)"), titled("Items in the queue", rangemode="tozero")),
    )


def sweep(subject: Subject) -> Chart | None:
    """Draw the first metric over the one number in which cases differ; None unless this case is the first of such."""
    swept = _swept(subject.scenario, subject.case)
    if swept is None or next(iter(swept.cases)) != subject.case:
        return None
    runners = _points(subject, swept)
    if not runners:
        return None
    factor, unit = factor_of(subject.metric.unit)
    amounts = [*swept.cases.values()]
    told = "; ".join(ends([row for _, row in points]) for points in runners)
    chart = subject.chart(
        "sweep",
        f"{subject.metric.title}, by the case's {swept.name}",
        f"Medians, in bands that are their intervals, from {swept.name} = {amounts[0]:g} to {amounts[-1]:g}: {told}.",
        lines(
            [_band(points, factor) for points in runners] + [_middle(points, factor) for points in runners],
            titled(f"{swept.name} (parameter of the case)", **LOG),
            value_axis(unit, (row for points in runners for _, row in points)),
        ),
    )
    return replace(chart, cases=tuple(swept.cases))


def _points(subject: Subject, swept: Swept) -> list[Points]:
    """Return the points of each runner that has enough of them."""
    found: dict[str, Points] = defaultdict(list)
    for case, amount in swept.cases.items():
        for row in Subject(subject.site, subject.cell, subject.scenario, case).rows():
            found[row.runner].append((amount, row))
    return [points for points in found.values() if len(points) >= FEWEST_OF_SWEEP]


def _middle(points: Points, factor: float) -> Trace:
    ys = [short((row.median or 0.0) * factor) for _, row in points]
    return {**line(points[0][1]), "x": [amount for amount, _ in points], "y": ys}


def _band(points: Points, factor: float) -> Trace:
    """Return the area between the bounds of a runner's medians: along the lower ones, and back along the upper."""
    amounts = [amount for amount, _ in points]
    lows = [short((row.low or 0.0) * factor) for _, row in points]
    highs = [short((row.high or 0.0) * factor) for _, row in points]
    first = points[0][1]
    return {
        "type": "scatter",
        "mode": "lines",
        "name": first.runner,
        "meta": {"family": first.family},
        "line": {"width": 0},
        "fill": "toself",
        "hoverinfo": "skip",
        "showlegend": False,
        "x": [*amounts, *reversed(amounts)],
        "y": [*lows, *reversed(highs)],
    }


@dataclass(frozen=True)
class Swept:
    """Cases that differ in one number alone."""

    name: str
    """The parameter."""
    cases: dict[str, float]
    """Its value by case, in ascending order of the value."""


def _swept(scenario: Scenario, case: str) -> Swept | None:
    """Return the sweep that *case* belongs to; None where it belongs to none. 0 (for: no limit) is not on the scale."""
    mine = dict(scenario.cases[case].parameters)
    for name, amount_here in mine.items():
        amounts = {
            other: each.parameters[name]
            for other, each in scenario.cases.items()
            if {**each.parameters, name: amount_here} == mine
        }
        numbers = {other: amount for other, amount in amounts.items() if not isinstance(amount, str) and amount > 0}
        if case in numbers and len(set(numbers.values())) >= FEWEST_OF_SWEEP:
            return Swept(name, dict(sorted(numbers.items(), key=lambda item: item[1])))
    return None
