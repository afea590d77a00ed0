"""Blocking server: does a server that waits for others go on answering?

A request makes the server wait three times, one wait after another: 0.02 s to save a user, 0.06 s to send a mail, 0.2 s
for a social network's API. Then it answers 200 with no body. Nothing is computed and nothing is called: a timer
replaces each of the three. 120 requests are made, 12 at once, each over a new connection; as soon as one is answered
the next begins. At the published delays there are 48, four times 12. The load comes from another process on the same
machine.

A server that handles one request at a time is measured at a tenth of the delays, since a sample at the published ones
would take 34 s. For comparison, so are all the others; a framework's own cost shows there. A quick run makes 60
requests. Servers that overlap their waits are measured at the published delays too. All accept up to 128 waiting
connections, except the one that keeps the standard library's default (5 up to Python 3.14): if that queue is full,
Linux drops the connection and the client tries again after a second at the earliest. Such waits, time-outs and refusals
are part of what is measured. At a tenth of the delays they weigh ten times as much as at the published ones.

Not every wait is as long as requested. On Linux asyncio (so aiohttp and Tornado too) and gevent round the rest of a
wait up to full milliseconds; uvloop's timers count in milliseconds and may fire up to one too early; time.sleep, which
threads use, is not rounded. With three waits a request, up to 3 ms of a latency may come from that: at a tenth of the
delays, much of the difference between servers that overlap their waits.

The scenario can't show a network: distance, loss, TLS and keep-alive are absent, and the load shares the server's
processor. In a closed loop a slow server gets fewer requests, so these latencies are not those of visitors who come at
their own pace.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from runners.blocking_server.workload import STEPS_S
from runners.harness.contract import Ideal, Metric
from runners.harness.metrics import REQUESTS_PER_S, quotient

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.harness.contract import Parameters, Presentation, Value

SOURCE = "S2"
TORNADO = (
    "With Tornado's defaults: it computes an ETag for each answer, and hands each request to its access log, "
    "which prints nothing here. The other servers' access logs are off."
)
COLUMNS = {
    "latency_steps_us": (
        "Latencies of the answered requests, from a request's start to the end of its connection, in ascending "
        "order, each as its difference from the one before."
    ),
    "connect_steps_us": "How long the connections of the answered requests took to be made, in the same form.",
}
INSIDE_THE_CLOCK = "from the start of the first request to the end of the last, seen by the client"


def latencies_us(columns: Mapping[str, Value]) -> list[int]:
    """Return the latencies of a sample's answered requests in ascending order, in microseconds."""
    steps_us = columns.get("latency_steps_us")
    return [*accumulate(map(int, steps_us))] if isinstance(steps_us, list) else []


def median_latency_us(columns: Mapping[str, Value]) -> float | None:
    """Return the median latency of a sample; None without an answer."""
    latencies = latencies_us(columns)
    if not latencies:
        return None
    return (latencies[(len(latencies) - 1) // 2] + latencies[len(latencies) // 2]) / 2


METRICS = (
    REQUESTS_PER_S._replace(title="Requests per second"),
    Metric(
        "mean_latency_us",
        "Mean latency",
        "us",
        "lower",
        quotient("latency_all_us", "completed_count"),
        kind="latency",
        formula=("latency_all_us / completed_count; null if completed_count is 0"),
    ),
    Metric(
        "median_latency_us",
        "Median latency",
        "us",
        "lower",
        median_latency_us,
        kind="latency",
        formula=("median(accumulate(latency_steps_us)); null if no request was answered"),
    ),
    Metric("completed_count", "Answered requests", "count", "higher"),
    Metric("failed_count", "Failed requests", "count", "lower"),
)


def ideal_per_s(parameters: Parameters, _cores: int, _baseline: Mapping[str, Value]) -> float | None:
    """Return the requests a second that a server with a `limit` can answer if it only waits."""
    if "limit" not in parameters:
        return None
    return float(parameters["limit"]) / (sum(STEPS_S) * float(parameters["factor"]))


IDEAL = Ideal(
    "the requests that may be in work at once (one, or all that are made at once) divided by the three waits of one",
    ideal_per_s,
)
PRESENTATION: Presentation = {
    "case_names": {
        "tenth": "a tenth of the delays",
        "tenth, 60 requests": "a tenth of the delays, 60 requests",
        "published delays": "the published delays, 48 requests",
    },
    "runner_names": {"http_server_published": "HTTPServer, default queue"},
    "notes": {
        "aiohttp_awaiting_uvloop": (
            "The timers of uvloop count in whole milliseconds: each of the three waits may be up to a millisecond "
            "shorter than asked for, so that an answer may come before their sum is over."
        ),
        "http_server_published": (
            "Up to Python 3.14 the queue of this server has room for 5, and the retry timer of dropped connections "
            "is measured: the system tries again after a second at the earliest. Apache Bench, whose connections "
            "are dropped and tried again at other times, sees a different number of requests per second; the range "
            "does not include that. From 3.15 on the queue has room for 128 or more, and none is dropped."
        ),
        "tornado_awaiting": TORNADO,
        "tornado_blocking": TORNADO,
        "tornado_executor": f"Its threads wait by time.sleep, which is not rounded to whole milliseconds. {TORNADO}",
    },
}
