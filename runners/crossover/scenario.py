"""Crossover: which model for which work?

So many tasks arrive at once: 1, 10, 100, 1,000 or 10,000. Each computes and then waits: 0, 0.1, 1 or 10 ms of
computing, 0, 1, 10 or 100 ms of waiting. Every model gets the same tasks at every one of these points, and the clock
runs from the arrival to the end of the last task, with all that the model starts and ends.

Computing is a loop of pure Python. How many turns take a millisecond is found once a run, on its reference build, and
every build of the run then does as many; how long they take there is recorded beside each sample. Waiting is a timer.
On fewer points tasks wait for the socket of a local server instead, or compute by hashing, in C that lets go of the
GIL.

A sample is one model with one number of tasks, in a fresh process: it measures all points in a random order, each with
pools and loops of its own. Left out are points that would take half a second at best, and, where computing alone takes
all cores so long that waiting hardly matters, the waits in between. A model that can't be done in 2 s by arithmetic (a
loop that does 100 tasks of 100 ms, a pool of six threads that does 1,000) is not measured there: it has lost, and that
it takes so long at least is what is recorded.

Pools have the size that the library gives them. Memory is the peak of the process above what it held before; of
processes that work for it, what each of them holds is added, with what they share counted in each. Their processor time
is read by themselves at the end of each task, so that what they take to end is not in it.

It can't show what lies between its points, tasks that are unlike each other or come one by one, nor waiting that costs
more than a timer or a local socket.
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

    from runners.harness.contract import Value

SOURCE = "Q1"
POINT = re.compile(r"c([0-9]+)_w([0-9]+)_(elapsed|bound)_ns")
"""A column of a sample: microseconds of computing and of waiting, and whether it was measured."""


def point_efficiencies(columns: Mapping[str, Value]) -> Iterator[float]:
    """Give for each point of a sample the share of the ideal that its model reached, or at most reaches."""
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
    """Return the geometric mean over a sample's points; None where it has none."""
    shares = list(point_efficiencies(columns))
    return math.exp(math.fsum(map(math.log, shares)) / len(shares)) if shares else None


METRICS = (
    Metric("efficiency", "Share of the ideal, over all points", "ratio", "higher", efficiency, kind="share"),
    Metric("compute_1ms_taken_ns", "A millisecond of computing really takes", "ns", "neither"),
)
NOTES = {
    "asyncio_uvloop": "The timers of uvloop count in whole milliseconds: a wait may be up to one shorter than it was "
    "asked to be. At waits of 1 ms that is most of it.",
}
INSIDE_THE_CLOCK = "making pools, loops, threads and tasks, computing and waiting, ending what was made; at each point"
IDEAL = Ideal(
    "each point has its own: all computing shared out over the usable cores, or one task from its start to its end,"
    " whichever takes longer. The metric is the share of it that was reached, a geometric mean over the points; the"
    " point at which tasks neither compute nor wait has none"
)
KINDS = {"sockets": "that wait for a socket", "hashing": "that hash"}
CASE_NAMES = {
    name: f"{case.parameters['size']} {KINDS[kind]}"
    for name, case in CASES.items()
    if (kind := str(case.parameters["kind"])) in KINDS
}
