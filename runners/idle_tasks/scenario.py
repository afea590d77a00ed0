"""Idle tasks: what does a task cost that only waits?

A hundred, 1,000 and 10,000 tasks are started, each of which says that it is there and then waits for one event that is
common to all. Once every task waits, the memory is looked at; then the event is set, and all end. It is a result only
if each task had arrived before the look at the memory began, and none had left before it was over.

Memory is what this process and all processes below it take in the end, less what they took at the beginning, divided by
the number of tasks. A page that several processes share counts for each by its share (Pss in Linux's smaps_rollup),
so that what processes have in common is counted once. A stack is counted as far as it is touched, as is all else;
what is only set aside is not. Small tasks first fill the room that the interpreter had left: of 100 of them the figure
may be too small, or missing where they all found room, so that threads are the baseline there; the figure of 10,000
says more about one. Only Linux tells these figures; elsewhere they are missing.

Processes and interpreters are started 100 at a time alone: 1,000 would want more memory than many machines have.
Processes are started in the way that is this Python's default: up to 3.13 as copies of this one (on Linux), from 3.14
on by a server that forks them, so that each imports anew what it needs. Each interpreter has a thread of its own, waits
in it, and imports what it needs as well. Threads with a stack of 64 KiB are measured 1,000 at a time alone, beside
threads with the system's own stack, and trio's tasks 10,000 at a time alone.

Where the system refuses so many threads or processes, that is what is recorded, with its words. It can't show what
tasks cost that do something: a stack grows with what is called on it, and a connection has buffers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.contract import Ideal, Metric

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.harness.contract import Value

SOURCE = "W19"


def _per_task(values: Mapping[str, Value], amount: float | None) -> float | None:
    tasks = values.get("tasks_count")
    return amount / tasks if isinstance(tasks, int) and tasks and amount is not None and amount > 0 else None


def bytes_per_task(values: Mapping[str, Value]) -> float | None:
    """Return how much memory came with one task; None where the system does not tell, or none came."""
    before, waiting = values.get("before_bytes"), values.get("waiting_bytes")
    if not isinstance(before, int) or not isinstance(waiting, int):
        return None
    return _per_task(values, waiting - before)


def start_up_ns_per_task(values: Mapping[str, Value]) -> float | None:
    """Return how long it takes until one more task waits."""
    start_up_ns = values.get("start_up_ns")
    return _per_task(values, start_up_ns) if isinstance(start_up_ns, int) else None


METRICS = (
    Metric("bytes_per_task", "Memory of one waiting task", "bytes", "lower", bytes_per_task),
    Metric("start_up_ns", "Time until all tasks wait", "ns", "lower"),
    Metric("start_up_ns_per_task", "Time to start one task", "ns", "lower", start_up_ns_per_task),
    Metric("release_ns", "Time to release all tasks and end them", "ns", "lower"),
    Metric("tasks_count", "Tasks that waited at once", "count", "higher"),
)
INSIDE_THE_CLOCK = (
    "making the event loop where there is one, starting all tasks, looking at the memory, releasing the tasks, ending"
    " them"
)
IDEAL = Ideal("none: what a waiting task needs is the interpreter's own affair, not a limit of the work")
