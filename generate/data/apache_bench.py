"""What Apache Bench prints, computed from the raw columns of a server's samples. Pure.

All samples of a series are taken together: the connection times and percentiles are over all their requests, and what
ab says of a whole run is the median over the samples.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from statistics import fmean, median
from typing import TYPE_CHECKING, Any

import numpy as np

from generate.data.estimates import percentile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from runners.harness.record.model import Series

PERCENTS = (50, 66, 75, 80, 90, 95, 98, 99, 100)
LATENCIES = "latency_steps_us"


@dataclass(frozen=True)
class Times:
    """A row of ab's table of connection times, in milliseconds."""

    name: str
    minimum: float | None
    """None: of processing the mean alone is known, as connect times are kept apart from latencies."""
    mean: float
    deviation: float | None
    middle: float | None
    maximum: float | None


@dataclass(frozen=True)
class Report:
    """What ab prints of one server."""

    samples: int
    requests: int
    """Answered, in all samples."""
    failed: int
    """In all samples."""
    received_bytes: float
    """Of one sample."""
    total_s: float
    """Length of one sample."""
    per_second: float
    mean_ms: float
    """ab's "time per request": how many were made at once times the total over the requests. Not a mean latency."""
    mean_across_ms: float
    """ab's "across all concurrent requests": the total over the requests."""
    times: list[Times]
    percentiles: list[tuple[int, float]]
    """Per cent, and the milliseconds within which so many requests were answered."""


def report(series: Series, at_once: int) -> Report | None:
    """Return ab's figures for *series*; None where no request was answered."""
    rows = [row for row in _rows(series) if row["completed_count"] and row[LATENCIES] and row["elapsed_ns"]]
    if not rows:
        return None
    latencies_ms, connects_ms = _milliseconds(rows)
    ordered = sorted(latencies_ms)
    totals_s = [row["elapsed_ns"] / 1e9 for row in rows]
    completed = [row["completed_count"] for row in rows]
    across_ms = median(1e3 * total / count for total, count in zip(totals_s, completed, strict=True))
    return Report(
        samples=len(rows),
        requests=sum(completed),
        failed=sum(row.get("failed_count") or 0 for row in rows),
        received_bytes=median(row.get("received_bytes") or 0 for row in rows),
        total_s=median(totals_s),
        per_second=median(count / total for total, count in zip(totals_s, completed, strict=True)),
        mean_ms=across_ms * at_once,
        mean_across_ms=across_ms,
        times=[*_parts(rows, latencies_ms, connects_ms), _times("total", latencies_ms)],
        percentiles=[(percent, percentile(ordered, percent)) for percent in PERCENTS],
    )


def _rows(series: Series) -> Iterator[dict[str, Any]]:
    if {LATENCIES, "completed_count", "elapsed_ns"} <= series.samples.values.keys():
        yield from (row.values for row in series.samples.ok_rows())


def _milliseconds(rows: Sequence[dict[str, Any]]) -> tuple[list[float], list[float]]:
    """Return the latencies of all requests, and what connecting took (not in the same order)."""
    latencies = [latency / 1e3 for row in rows for latency in accumulate(row[LATENCIES])]
    connects = [connect / 1e3 for row in rows for connect in accumulate(row.get("connect_steps_us") or [])]
    return latencies, connects


def _parts(rows: Sequence[dict[str, Any]], latencies_ms: list[float], connects_ms: list[float]) -> list[Times]:
    """Return the parts of a request as ab has them: connecting, then processing, most of which is waiting."""
    if not connects_ms:
        return []
    processing_ms = fmean(latencies_ms) - fmean(connects_ms)
    receiving_ms = sum(row.get("receive_all_us") or 0 for row in rows) / 1e3 / len(latencies_ms)
    means = {"processing": processing_ms, "waiting": processing_ms - receiving_ms}
    rest = [Times(name, None, mean_ms, None, None, None) for name, mean_ms in means.items()]
    return [_times("connect", connects_ms), *rest]


def _times(name: str, values: list[float]) -> Times:
    """Return what ab prints of times; its deviation is that of a sample, which of one value is 0."""
    # That of statistics is exact, and takes as long as all the rest of a report.
    deviation = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
    return Times(name, min(values), fmean(values), deviation, median(values), max(values))
