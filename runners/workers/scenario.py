"""Workers: how do I serve a web application on several cores: loops, threads or processes?

To answer a request the application waits 5 ms, by a timer, and computes for about 2 ms in a loop of pure Python. With a
GIL a process computes for one request at a time, so it answers fewer than 500 a second, whatever its model. Two
processes could answer twice as many on two free cores. So could threads without a GIL.

The same application is served by one event loop, by a pool of threads, by two processes (with threads, or with an event
loop each), by an event loop in each of two threads, and by a loop that hands the computing to threads. gunicorn,
uvicorn and Granian run it with two workers. All listen with room for 512 connections that wait to be accepted. Two
processes share one listener. Only Granian's workers each have a socket at the same port, and Linux distributes the
connections among them. On builds without a GIL Granian's workers are threads.

Requests arrive evenly: 250 a second, which one core can answer, or 500 a second, which takes a second core. A server
that falls behind answers fewer, and its latencies grow until the load ends: after 220 requests, which are due within
half a second. So its 99th percentile is that of a burst. A latency counts from when the request was due. A request
fails two seconds after that. At 500 a second the load generator needs about a tenth of a core; its share is shown. In a
third load 16 clients send requests that only compute, each as soon as it has its last answer. It shows what a server
can answer at most. Not every server is measured under every load, to keep the run short.

How many turns of the loop take two milliseconds is found once a run, on the reference build, so that 500 requests a
second lie between the limits of one core and two on any machine. A build that computes faster than the reference
computes for less time.

Memory is that of all processes of a server just after the load. A page that several processes share counts for each by
its share (Pss), so the sum is what would be free without the server. Forked workers share with their parent what none
of them has changed. Processor time is that of all these processes. Only Linux reports either.

The scenario can't show a network, keep-alive connections, or more than two cores. Load and server share the processor.
The application is small: a large one has more memory to share, or to hold twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.contract import Ideal, Metric
from runners.harness.metrics import (
    LATENCY_COLUMNS,
    LATENCY_MEDIAN,
    LATENCY_P99,
    LOAD_SHARE,
    OPEN_LOOP_COLUMNS,
    REQUESTS_PER_S,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.harness.contract import Parameters, Presentation, Value

SOURCE = "Q1"
COLUMNS = {**LATENCY_COLUMNS, **OPEN_LOOP_COLUMNS}
INSIDE_THE_CLOCK = "from when the first request is due to the end of the last, seen by the client"


def cpu_per_request_us(columns: Mapping[str, Value]) -> float | None:
    """Return the processor time of all processes per request; None if any failed, since it may have been computed."""
    completed, cpu_us = columns.get("completed_count"), columns.get("tree_cpu_us")
    if columns.get("failed_count") or not isinstance(completed, int) or not isinstance(cpu_us, int) or not completed:
        return None
    return cpu_us / completed


METRICS = (
    REQUESTS_PER_S,
    LATENCY_P99,
    LATENCY_MEDIAN,
    Metric("tree_proportional_bytes", "Memory of all processes", "bytes", "lower"),
    Metric(
        "cpu_per_request_us",
        "Processor time per request",
        "us",
        "lower",
        cpu_per_request_us,
        kind="duration",
        formula="tree_cpu_us / completed_count; null if failed_count is not 0, or completed_count is",
    ),
    Metric("failed_count", "Failed requests", "count", "lower"),
    LOAD_SHARE,
)


def ideal_per_s(parameters: Parameters, _cores: int, _baseline: Mapping[str, Value]) -> float | None:
    """Return the requests that arrive a second; None in a closed loop."""
    return float(parameters["rate_per_s"]) if "rate_per_s" in parameters else None


IDEAL = Ideal("the requests that arrive a second; none if each client waits for its answer", ideal_per_s)
PRESENTATION: Presentation = {
    "overview": "500 requests/s",
    "case_names": {
        "500 requests/s": "500 requests a second, more than one core can answer",
        "250 requests/s": "250 requests a second, which one core can answer",
        "16 clients, no wait": "16 clients at full speed, requests that only compute",
    },
    "notes": {
        "aiohttp_to_thread": "The loop's default pool has at most 4 threads more than there are cores.",
        "granian_workers": (
            "Linux draws which worker gets a connection, so one may fall behind while the other is idle. On builds "
            "without a GIL its workers are threads of one process."
        ),
        "gunicorn_threads": "Memory includes the parent process, which only watches its workers.",
        "uvicorn_workers": (
            "Its workers are spawned, not forked, so they share no memory of Python's own. Memory includes the parent "
            "process and the helper that multiprocessing starts with it. With its own parser in Python (h11), and the "
            "loop of asyncio."
        ),
    },
}
