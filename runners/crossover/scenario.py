"""Crossover: which model for which work?

1, 10, 100, 1,000 or 10,000 tasks arrive at once. Each first computes, for 0, 0.1, 1 or 10 ms, and then waits, for 0, 1,
10 or 100 ms. At each of these points every model gets the same tasks. The clock runs from their arrival to the end of
the last one, and includes all that the model starts and ends.

Computing is a loop of pure Python. How many turns of it take a millisecond is measured once a run, on its reference
build. Every build of the run then does as many, and how long they really take is recorded with each sample. Waiting is
a timer. On fewer points, tasks wait for the socket of a local server instead, or compute by hashing, in C that releases
the GIL.

A sample is one model with one number of tasks, in a fresh process. It measures all points in a random order, each with
pools and loops of its own (gevent has one loop for all). Two kinds of points are left out: those that would take over
half a second at best, and those whose tasks wait but together compute for 0.8 s or more, so that waiting hardly
matters. A model is not measured at a point that by arithmetic takes it over 2 s (a loop that does 100 tasks of 100 ms,
a pool of six threads that does 1,000): it has lost there, and its shortest possible time is recorded.

Memory has samples of its own, one point each, because a process keeps what earlier points have freed: 100 tasks that
wait 10 ms, and 1,000 and 10,000 that wait 100 ms. It is the peak of the process above what it held before, plus the
proportional set size (PSS) of each of its worker processes at their last look: shared memory is divided among them.
10,000 threads are not all there at once: the first have ended before the last start.

Pools have the library's default size. Two models send tasks to a pool of processes in chunks, four for each worker; the
others send one at a time, as the library does by default. (Pools of threads and interpreters ignore the size of a
chunk.) asyncio.to_thread is measured if tasks hash, since it needs work that releases the GIL. Worker processes read
their processor time at the end of each task: it includes their start but not their end.

The scenario can't show what lies between its points, tasks that differ from each other or come one by one, or waiting
that costs more than a timer or a local socket.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from runners.crossover._points import Place
from runners.crossover.workload import CASES
from runners.harness.contract import Ideal, Metric

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from runners.harness.contract import Presentation, Value

SOURCE = "Q1"
POINT = re.compile(r"c([0-9]+)_w([0-9]+)_(elapsed|bound)_ns")
"""A column of a sample: microseconds of computing and of waiting, and whether it was measured."""


def point_efficiencies(columns: Mapping[str, Value]) -> Iterator[float]:
    """Return, for each point of a sample, the share of the ideal that its model reached, or at most reaches."""
    cores, tasks, one_ms_ns = (columns.get(name) for name in ("cores_count", "tasks_count", "compute_1ms_taken_ns"))
    if not (isinstance(cores, int) and isinstance(tasks, int) and isinstance(one_ms_ns, int)):
        return
    for name, elapsed_ns in columns.items():
        point = POINT.fullmatch(name)
        if point and isinstance(elapsed_ns, int):
            place = Place(round(int(point[1]) * one_ms_ns / 1e6), int(point[2]))
            if ideal_us := place.ideal_us(tasks, cores):
                yield ideal_us * 1e3 / elapsed_ns


def efficiency(columns: Mapping[str, Value]) -> float | None:
    """Return the geometric mean over a sample's points; None without any."""
    shares = list(point_efficiencies(columns))
    return math.exp(math.fsum(map(math.log, shares)) / len(shares)) if shares else None


METRICS = (
    Metric(
        "efficiency",
        "Share of the ideal over all points",
        "ratio",
        "higher",
        efficiency,
        kind="share",
        formula=(
            "the geometric mean, over the points of the sample, of ideal_us * 1e3 / elapsed_ns of the point, "
            "with bound_ns if there is no elapsed_ns; ideal_us is max(tasks_count * c / cores_count, c + "
            "wait_us), with round(compute_us * compute_1ms_taken_ns / 1e6) for c; points of which it is 0 are "
            "left out, and the value is null if none is left"
        ),
    ),
    Metric("compute_1ms_taken_ns", "Real duration of a millisecond of computing", "ns", "neither"),
)
COLUMNS = {
    "tasks_count": "A parameter, not measured: how many tasks arrive at once.",
    "cores_count": "A fact about the machine, not measured: how many cores the process may use.",
    "compute_1ms_taken_ns": (
        "How long the turns of a loop that the run calibrated to a millisecond really take in this process: the "
        "median of several tries."
    ),
    "c{compute_us}_w{wait_us}_elapsed_ns": (
        "Time for all tasks at the point of the map where each computes and waits for so many microseconds."
    ),
    "c{compute_us}_w{wait_us}_bound_ns": (
        "Computed, not measured: the least time that the model can take at a point that would take too long to measure."
    ),
    "c{compute_us}_w{wait_us}_median_us": (
        "Median over the tasks of the time from the arrival of all to the task's end."
    ),
    "c{compute_us}_w{wait_us}_worst_us": "The longest of these times.",
    "c{compute_us}_w{wait_us}_cpu_us": (
        "Processor time of the process at the point, and of each of its worker processes from their start to the "
        "end of their last task."
    ),
    "c{compute_us}_w{wait_us}_fresh_memory_bytes": (
        "How far the peak memory of a process that measured nothing before was above what it held before, plus the "
        "PSS of each of its worker processes when it last looked; null if any of that is not known."
    ),
}
GEVENT_LOOP = (
    "gevent makes its event loop, the hub, once a thread. The warm-up has made it, so that is outside the "
    "clock; asyncio, uvloop and trio make and close a loop at each point, inside it."
)
GEVENT_RESOLVER = (
    "For each new connection gevent asks its resolver, by default a pool of 10 threads, for the address, even "
    "if it is a number, as here. asyncio and uvloop skip that for a number; trio and plain threads do it in "
    "place."
)
STARTS = (
    "On Linux processes start by fork up to Python 3.13, by a fork server from 3.14 on; W7 has the cost. "
    "The server starts once a sample, at the first of its points that needs it, which is another one in each "
    "round: few of these medians contain its start. A pool that is given multiprocessing.get_context('fork') "
    "starts as before, which is not safe in a program with threads."
)
CHUNKS = "A chunk is a quarter of a worker's share: 13 of 100 tasks on two cores."
LIBRARY_S_SIZE = (
    "Its pool has as many workers as the interpreter counts processors. If that is not the number of cores that"
    " the process may use (a container's quota, before Python 3.13 an affinity, -X cpu_count) this runner "
    "fails."
)
INSIDE_THE_CLOCK = (
    "at each point: making pools, loops (except gevent's), threads and tasks, computing and waiting, ending "
    "what was made; on Linux, from Python 3.14 on, also starting the fork server, at the first point of a "
    "sample that needs it"
)
IDEAL = Ideal(
    "each point has its own: all computing divided by the usable cores, or one task from start to end, "
    "whichever takes longer. The metric is the share of the ideal that was reached, as a geometric mean over "
    "the points; for a point without a measurement, the most that the model could reach counts. The point at "
    "which tasks neither compute nor wait has no ideal"
)
KINDS = {"sockets": "that wait for a socket", "hashing": "that hash", "memory": "that wait, for their memory"}
PRESENTATION: Presentation = {
    "overview": "100 tasks",
    "case_names": {
        name: f"{case.parameters['size']} {KINDS[kind]}"
        for name, case in CASES.items()
        if (kind := str(case.parameters["kind"])) in KINDS
    },
    "runner_names": {
        "asyncio_processes": "asyncio with a process pool",
        "asyncio_processes_chunks": "asyncio with a process pool, in chunks",
    },
    "notes": {
        "process_pool": f"{STARTS} {LIBRARY_S_SIZE}",
        "process_pool_chunks": f"{CHUNKS} {STARTS} {LIBRARY_S_SIZE}",
        "asyncio_processes": STARTS,
        "asyncio_processes_chunks": f"{CHUNKS} A task waits once its whole chunk is computed. {STARTS}",
        "asyncio_uvloop": (
            "The timers of uvloop count in whole milliseconds: a wait may be up to a millisecond shorter than asked"
            " for. That may be nearly all of a wait of 1 ms. A lead of more than a millisecond has other reasons."
        ),
        "greenlets": GEVENT_LOOP,
        **{
            f"greenlets/{name}": f"{GEVENT_LOOP} {GEVENT_RESOLVER}"
            for name, case in CASES.items()
            if case.parameters["kind"] == "sockets"
        },
    },
}
