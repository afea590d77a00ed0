"""Quotients of columns, and metrics of servers, for scenario.py files. What is measured does not import them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.contract import Metric

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from runners.harness.contract import Value


def quotient(dividend: str, divisor: str, factor: float = 1) -> Callable[[Mapping[str, Value]], float | None]:
    """Return a function of a sample's columns: dividend / divisor * factor; None if one is unknown or the divisor 0."""

    def compute(columns: Mapping[str, Value]) -> float | None:
        above, below = columns.get(dividend), columns.get(divisor)
        return above / below * factor if isinstance(above, int) and isinstance(below, int) and below else None

    return compute


requests_per_s = quotient("completed_count", "elapsed_ns", 1e9)

REQUESTS_PER_S = Metric(
    "requests_per_s",
    "Answered requests per second",
    "per_s",
    "higher",
    requests_per_s,
    formula="completed_count / elapsed_ns * 1e9; null if there was no load, or elapsed_ns is 0",
)
LATENCY_MEDIAN = Metric("latency_median_us", "Median latency", "us", "lower", kind="latency")
LATENCY_P99 = Metric("latency_p99_us", "99th percentile of latency", "us", "lower", kind="latency")
LOAD_SHARE = Metric(
    "load_share",
    "Load generator's share of a core",
    "ratio",
    "neither",
    quotient("load_cpu_ns", "elapsed_ns"),
    kind="share",
    formula="load_cpu_ns / elapsed_ns; null if there was no load, or elapsed_ns is 0",
)
LATENCY_COLUMNS = {
    "latency_median_us": "Median of a server's latencies, by nearest rank; a request without a right answer counts "
    "with the time limit.",
    "latency_p99_us": "99th percentile of the same, by nearest rank.",
    "latency_worst_us": "The greatest of the same.",
    "latency_trace_us": "All percentiles of the same from 0 to 100, by nearest rank.",
}
OPEN_LOOP_COLUMNS = {
    "load_start_late_us": "In an open loop, 99th percentile, by nearest rank, of how late requests were begun once "
    "they were due and could be made.",
    "load_start_worst_us": "In an open loop, the greatest of the same.",
    "load_held_count": "In an open loop, requests that fell due while as many were open as the load allows.",
}
