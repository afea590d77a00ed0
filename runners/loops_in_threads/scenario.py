"""Loops in threads: what does an event loop in each of two threads gain?

An event loop runs in one thread, so it uses one core. A program can run a second loop in a second thread. Three cases
compare one loop that does all the work with two in threads, and with two in processes, that do half of it each. The
processes are the yardstick: they share nothing but the machine.

In the first case, four trees of coroutines are gathered, one after another: five levels with six branches each, and no
leaf waits. In the second, 8,000 messages of 1 KiB go to and fro between clients and servers on the same loop, over
eight pairs of connected sockets. In the third, aiohttp answers 24 clients, each of which asks again as soon as it has
its answer. A request waits 5 ms, by a timer, and then computes for about 2 ms. All loops accept connections from one
listening socket. A fourth case makes and closes 1,600 event loops, each for a coroutine that does nothing, in one
thread or in eight.

The time starts when the first loop is about to be made and ends when the last one is closed. Threads and processes wait
for each other before that, so their start is not in it, nor a first small piece of the work in each new process. For
servers, it is the time from the first request to the end of the last. All leaves, echoes, loops and requests are
counted.

The load generator is a program of its own and needs a share of the two cores, so two loops that serve can't quite
double what one does. That share is recorded. The scenario can't show more than two loops, nor a network. A listening
socket for each loop, by SO_REUSEPORT, is not measured: there the system chooses a loop for each connection, whether or
not that loop is busy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.contract import Ideal, Metric
from runners.harness.metrics import LATENCY_COLUMNS, LATENCY_MEDIAN, LATENCY_P99, LOAD_SHARE, REQUESTS_PER_S

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.harness.contract import Parameters, Presentation, Value

SOURCE = "Q1"


def work_ns(values: Mapping[str, Value]) -> float | None:
    """Return the time of the work of loops, or of a load on a server."""
    time_ns = values.get("working_ns", values.get("elapsed_ns"))
    return time_ns if isinstance(time_ns, int) else None


METRICS = (
    Metric(
        "work_ns",
        "Time for all the work",
        "ns",
        "lower",
        work_ns,
        formula="working_ns or elapsed_ns; servers have no working_ns",
    ),
    REQUESTS_PER_S,
    LATENCY_MEDIAN,
    LATENCY_P99,
    LOAD_SHARE,
)
COLUMNS = {
    "working_ns": (
        "Except for servers, from when the first loop is about to be made to when the last one has been closed."
    ),
    **LATENCY_COLUMNS,
}
INSIDE_THE_CLOCK = (
    "making the event loops, the work, closing the loops, but not the start of threads and processes; for servers, "
    "from when the load begins to the end of the last request, seen by the client"
)


def ideal_ns(parameters: Parameters, cores: int, baseline: Mapping[str, Value]) -> float | None:
    """Return the time that no division of the baseline's work over *cores* can beat."""
    time_ns = work_ns(baseline)
    return None if time_ns is None else time_ns / min(cores, int(parameters["workers"]))


IDEAL = Ideal(
    "the time of one loop, or of one thread that makes them, divided by the usable cores, or by the number of threads "
    "if that is less",
    ideal_ns,
)
PRESENTATION: Presentation = {
    "case_names": {
        "4 trees of 7,776 leaves": "trees of coroutines",
        "8,000 echoes": "echoes over sockets",
        "1,600 new loops": "making and closing 1,600 loops",
        "24 clients, 5 ms wait, 2 ms computing": "serving: requests that wait 5 ms and compute 2 ms",
    },
    "each_case_answers": True,
    "notes": {
        "aiohttp_loop_per_process": (
            "The first process only starts the two others. Columns whose names begin with tree_ count all of them."
        ),
    },
}
