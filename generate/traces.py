"""The charts that some scenarios have beside the bars: latencies, depths of queues, sweeps of one parameter. Pure."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from generate.chart import Chart, Subject, factor_of, line, short, whisker
from generate.tables import Scale

if TYPE_CHECKING:
    from generate.summary import Summary
    from runners.harness.catalogue import Scenario

ECDF_POINTS = 200
TRACE = "depth_trace_count"
LATENCIES = "latency_steps_us"
FEWEST_OF_SWEEP = 3
"""So many values of a parameter make a line worth drawing."""


def ecdf(subject: Subject) -> Chart | None:
    """Draw the share of requests answered within a time; None without latencies."""
    traces = []
    for row, samples in subject.columns(LATENCIES):
        latencies = sorted(latency for steps in samples for latency in accumulate(steps))
        if latencies:
            picked = [round(k * (len(latencies) - 1) / (ECDF_POINTS - 1)) for k in range(ECDF_POINTS)]
            xs = [short(latencies[k] / 1e3) for k in picked]
            ys = [short((k + 1) / len(latencies) * 100) for k in picked]
            traces.append({**line(row), "mode": "lines", "line": {"shape": "hv"}, "x": xs, "y": ys})
    if not traces:
        return None
    return Chart(
        path=subject.path("latencies"),
        title=f"Latencies, {subject.case}",
        summary="Share of requests that were answered within a time, all rounds together. The table of percentiles"
        " holds the same figures.",
        rows=14,
        spec={
            "kind": "ecdf",
            "legend": True,
            "traces": traces,
            "xaxis": {"title": "Latency (ms)", "type": "log"},
            "yaxis": {"title": "Requests answered (%)", "range": [0, 101]},
        },
    )


def depth(subject: Subject) -> Chart | None:
    """Draw how deep a queue was as its items were taken; None without such a trace."""
    traces = []
    for row, samples in subject.columns(TRACE):
        first = samples[0]
        share = [short(100 * k / max(len(first) - 1, 1)) for k in range(len(first))]
        traces.append({**line(row), "mode": "lines", "x": share, "y": first})
    if not traces:
        return None
    deepest = "; ".join(f"{trace['name']} {max(trace['y']):,}" for trace in traces)  # of the points that are drawn
    return Chart(
        path=subject.path("depth"),
        title=f"Depth of the queue, {subject.case}",
        summary=f"Depth as the items were taken, in the first round. Deepest of the points that are drawn: {deepest}.",
        rows=14,
        spec={
            "kind": "depth",
            "legend": True,
            "traces": traces,
            "xaxis": {"title": "Items taken (%)"},
            "yaxis": {"title": "Items in the queue", "rangemode": "tozero"},
        },
    )


def sweep(subject: Subject) -> Chart | None:
    """Draw the first metric over the one number in which cases differ; None unless this case is the first of such."""
    swept = _swept(subject.scenario, subject.case)
    if swept is None or next(iter(swept.cases)) != subject.case:
        return None
    found: dict[str, list[tuple[float, Summary]]] = defaultdict(list)
    for case, amount in swept.cases.items():
        for row in Subject(subject.site, subject.cell, subject.scenario, case).rows():
            found[row.runner].append((amount, row))
    lines = {name: points for name, points in found.items() if len(points) >= FEWEST_OF_SWEEP}
    if not lines:
        return None
    factor, unit = factor_of(subject.metric.unit)
    log = Scale.of([row.median or 0.0 for points in lines.values() for _, row in points], []).log
    return Chart(
        path=subject.path("sweep"),
        title=f"{subject.metric.title}, by the case's {swept.name}",
        summary=f"{', '.join(lines)} at {swept.name} = {', '.join(f'{amount:g}' for amount in swept.cases.values())};"
        " medians with their intervals.",
        rows=14,
        cases=tuple(swept.cases),
        spec={
            "kind": "sweep",
            "legend": True,
            "traces": [
                {
                    **line(points[0][1]),
                    "x": [amount for amount, _ in points],
                    "y": [short((row.median or 0.0) * factor) for _, row in points],
                    "error_y": whisker([row for _, row in points], factor),
                }
                for points in lines.values()
            ],
            "xaxis": {"title": f"{swept.name} (parameter of the case)", "type": "log"},
            "yaxis": {"title": unit, **({"type": "log"} if log else {"rangemode": "tozero"})},
        },
    )


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
