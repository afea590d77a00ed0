"""What Apache Bench prints, computed from the raw columns of a server's samples: S2's own figures.

All samples of a series in the newest run are taken together. Connection times and percentiles are over all requests.
Figures of a whole run of ab are medians over the samples.
"""

from __future__ import annotations

from itertools import accumulate
from statistics import fmean, median, stdev
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from generate.data.estimates import percentile
from generate.pages.templates import fragment, heads

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from generate.data.results import Results
    from runners.harness.contract import Value
    from runners.harness.record.model import Series

PERCENTS = (50, 66, 75, 80, 90, 95, 98, 99, 100)
LATENCIES = "latency_steps_us"


class Times(NamedTuple):
    """A row of the table of connection times, in milliseconds.

    Of processing and waiting only the mean is known, as connect times are stored apart from latencies.
    """

    name: str
    minimum: float | None
    mean: float
    deviation: float | None
    middle: float | None
    maximum: float | None


class Report(NamedTuple):
    """What ab prints of one server."""

    answered: int
    """In all samples, like the failed ones."""
    failed: int
    bytes_per_sample: float
    total_s: float
    """The length of one sample."""
    per_second: float
    mean_ms: float
    """ab's "time per request": the number at once, times the total over the requests. Not a mean latency."""
    mean_across_ms: float
    """ab's "across all concurrent requests": the total over the requests."""
    times: list[Times]
    percentiles: list[float]
    """The milliseconds within which each of PERCENTS was answered."""


def report(series: Series, at_once: int) -> Report | None:
    """Return ab's figures; None if no request was answered."""
    rows = [row.values for row in series.samples.ok_rows() if row.values.get(LATENCIES)]
    if not rows:
        return None
    totals_s = [_number(row, "elapsed_ns") / 1e9 for row in rows]
    counts = [_number(row, "completed_count") for row in rows]
    across_ms = median(1e3 * total / count for total, count in zip(totals_s, counts, strict=True))
    times, latencies_ms = _times(rows)
    return Report(
        answered=round(sum(counts)),
        failed=round(sum(_number(row, "failed_count") for row in rows)),
        bytes_per_sample=median(_number(row, "received_bytes") for row in rows),
        total_s=median(totals_s),
        per_second=median(count / total for total, count in zip(totals_s, counts, strict=True)),
        mean_ms=across_ms * at_once,
        mean_across_ms=across_ms,
        times=times,
        percentiles=[percentile(latencies_ms, percent) for percent in PERCENTS],
    )


def apache_bench(site: Results, scenario: str, case: str) -> Markup:
    """Return ab's tables for the newest run of the first result with a case; empty without one."""
    result = site.first(scenario, case)
    if result is None:
        return Markup()
    known, at_once = site.scenarios[scenario], int(site.scenarios[scenario].cases[case].parameters["at_once"])
    servers = [
        {"name": key.runner, "family": known.runners[key.runner].family, "report": report(series, at_once)}
        for key, series in sorted(result.newest.view.series.items())
        if (key.scenario, key.case, key.role) == (scenario, case, "subject")
        and key.runner in known.runners
        and key not in result.newest.rejected
    ]
    percents = heads((f"{percent} %" for percent in PERCENTS), "n")
    return fragment("apache_bench.html", servers=servers, result=result, case=case, at_once=at_once, percents=percents)


def _number(row: Mapping[str, Value], column: str) -> float:
    value = row.get(column)
    return value if isinstance(value, int | float) else 0.0


def _times(rows: Sequence[Mapping[str, Value]]) -> tuple[list[Times], list[float]]:
    """Return the table of connection times, and all latencies in order (ms)."""
    latencies_ms, connects_ms = _milliseconds(rows, LATENCIES), _milliseconds(rows, "connect_steps_us")
    total = _spread("total", latencies_ms)
    if not connects_ms:
        return [total], latencies_ms
    processing_ms = total.mean - fmean(connects_ms)
    receiving_ms = sum(_number(row, "receive_all_us") for row in rows) / 1e3 / len(latencies_ms)
    parts = {"processing": processing_ms, "waiting": processing_ms - receiving_ms}
    means = [Times(name, None, mean_ms, None, None, None) for name, mean_ms in parts.items()]
    return [_spread("connect", connects_ms), *means, total], latencies_ms


def _milliseconds(rows: Sequence[Mapping[str, Value]], column: str) -> list[float]:
    lists = (steps for row in rows if isinstance(steps := row.get(column), list))
    return sorted(amount_us / 1e3 for steps in lists for amount_us in accumulate(steps))


def _spread(name: str, ordered: Sequence[float]) -> Times:
    deviation = stdev(ordered) if len(ordered) > 1 else 0.0
    return Times(name, ordered[0], fmean(ordered), deviation, median(ordered), ordered[-1])
