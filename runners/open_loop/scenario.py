"""Open loop: what does a server's latency look like when visitors come at their own pace?

To answer a request a server waits 5 ms, by a timer, and then runs 8,000 turns of a loop in pure Python. With a GIL a
process computes one request at a time, so the loop limits how many it can answer a second, whatever its model. Requests
come at a fixed rate and evenly, from well below that limit to well above, each over a new connection. In the closed
loop, which most load generators make, 16 clients send requests to the same server, each as soon as it has its last
answer.

In the open loop a latency counts from when the request was due, not from when it was sent, and the next request is due
whether this one is answered or not. So a stall of the server counts against it for everybody who came meanwhile. A
closed loop sends fewer requests just then, and its percentiles leave those visitors out (“coordinated omission”). A
request without an answer a second after it was due has failed, and so has one that was refused. Failed requests are
counted, and enter the percentiles with that second. How late the load generator itself was is recorded: if 1 in 100
requests left more than 5 ms late, at a rate that the server keeps up with, the sample has failed. Up to 500 connections
may be open at once, more than any open loop here has requests, so the load generator holds none back.

All servers let up to 512 connections wait to be accepted, if the system allows it. A pool of 16 threads and an aiohttp
that works on 16 requests at once compare threads with coroutines at equal numbers. An open loop has 240 to 400
requests, all due within 0.8 s, so that overload is a burst here and not a state; of so few, the 99th percentile is the
third to the fifth worst. Not every server is measured under every load, to keep the run short. The closed loop
and the overload are measured back to back and share a baseline, aiohttp in the closed loop. A last case has nothing to
wait for or to compute: what is left of a request is the server's own work. It has 4,000 requests, after 400 that warm
the server up.

The scenario can't show a network or keep-alive connections, and the load shares the processor with the server. Visitors
who come at random bunch up more than these do, so real tails are longer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.contract import Ideal, Metric
from runners.harness.metrics import LATENCY_COLUMNS, LATENCY_MEDIAN, LATENCY_P99, OPEN_LOOP_COLUMNS, REQUESTS_PER_S

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.harness.contract import Parameters, Presentation, Value

SOURCE = "Q1"
COLUMNS = {**LATENCY_COLUMNS, **OPEN_LOOP_COLUMNS}
INSIDE_THE_CLOCK = "from when the first request is due to the end of the last, seen by the client"
METRICS = (
    LATENCY_P99,
    LATENCY_MEDIAN,
    Metric("latency_worst_us", "Worst latency", "us", "lower", kind="latency"),
    REQUESTS_PER_S,
    Metric("failed_count", "Failed requests", "count", "lower"),
    Metric("load_start_late_us", "99th percentile of how late requests were sent", "us", "neither"),
)


def ideal_us(parameters: Parameters, _cores: int, _baseline: Mapping[str, Value]) -> float | None:
    """Return the wait, which no request can do without; None without one."""
    return float(parameters["wait_s"]) * 1e6 or None


IDEAL = Ideal("the wait of 5 ms of each request; none for a request without a wait", ideal_us)
PRESENTATION: Presentation = {
    "overview": "2,000 requests/s",
    "case_names": {
        "closed loop, 16 at once": "a closed loop, 16 clients",
        "closed loop, nothing to do": "a closed loop, 16 clients, a server with nothing to do",
        "300 requests/s": "an open loop, 300 requests a second",
        "1,000 requests/s": "an open loop, 1,000 requests a second",
        "2,000 requests/s": "an open loop, 2,000 requests a second",
    },
    "notes": {
        "aiohttp_16": (
            "It accepts all connections and works on 16 requests at once. So does the pool of 16 threads, whose "
            "accepting thread passes on what it has accepted."
        ),
        "aiohttp_uvloop/closed loop, 16 at once": (
            "The timers of uvloop count in whole milliseconds: the wait of a request may be up to a millisecond "
            "shorter than asked for. asyncio rounds its own waits up."
        ),
        "aiohttp_uvloop/closed loop, nothing to do": (
            "If a sample is rejected because of the load generator, that was near its limit; the server did not "
            "fail. The faster a server, the sooner that happens. Near that limit servers look alike, so a ratio "
            "near 1 tells little about the loops."
        ),
        "tornado_awaiting": (
            "With Tornado's defaults: it computes an ETag for each answer, and hands each request to its access "
            "log, which prints nothing here. The other servers' access logs are off."
        ),
    },
}
