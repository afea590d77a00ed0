"""Metrics and columns that scenarios of servers share. For their scenario.py: what is measured does not import it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.contract import Metric

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.harness.contract import Value


def requests_per_s(columns: Mapping[str, Value]) -> float | None:
    """Return answered requests per second; None without a load."""
    completed, elapsed_ns = columns.get("completed_count"), columns.get("elapsed_ns")
    if not isinstance(completed, int) or not isinstance(elapsed_ns, int) or not elapsed_ns:
        return None
    return completed / elapsed_ns * 1e9


def load_share(columns: Mapping[str, Value]) -> float | None:
    """Return the load generator's share of a core; None without a load."""
    cpu_ns, elapsed_ns = columns.get("load_cpu_ns"), columns.get("elapsed_ns")
    return cpu_ns / elapsed_ns if isinstance(cpu_ns, int) and isinstance(elapsed_ns, int) and elapsed_ns else None


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
    load_share,
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
    "load_start_late_us": "In an open loop, 99th percentile, by nearest rank, of how late requests were begun once they "
    "were due and could be made.",
    "load_start_worst_us": "In an open loop, the greatest of the same.",
    "load_held_count": "In an open loop, requests that fell due while as many were open as the load allows.",
}
