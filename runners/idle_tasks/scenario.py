"""Idle tasks: what does a task that only waits cost?

A hundred, 1,000 and 10,000 tasks are started. Each reports that it is there and then waits for one event that all
share. Once every task waits, the memory is read; then the event is set, and all end. The result counts only if every
task had arrived before the memory was read, and none had left before that was done.

Memory is what this process and all processes below it take while all tasks wait, less what they took at the beginning,
divided by the number of tasks. Each process counts its share of a page that several have in common (Pss, in Linux's
smaps_rollup), so that such a page is counted once in all. A stack counts as far as it has been touched, and so does all
other memory; reserved memory does not count, nor what the kernel keeps for a thread or a process. Small tasks first
fill room that the interpreter had left over. So the figure from 100 of them may be too small, or missing if they all
found room, and threads are their baseline; the figure from 10,000 tells more about one task. Only Linux reports these
figures; elsewhere they are missing.

Processes and interpreters are started only 100 at a time: 1,000 would need more memory than many machines have.
Processes are started in this Python's default way. On Linux that is, up to 3.13, as copies of this process; from 3.14
on, a server forks them, so that each imports its modules again. They start side by side, as far as there are cores.
Interpreters are created one after another, from one thread; each then waits in a thread of its own, and also imports
its modules. Threads with a stack of 64 KiB are measured only 1,000 at a time, next to threads with the system's default
stack, and trio's tasks only 10,000 at a time.

If the system refuses so many threads or processes, its words are recorded. The scenario can't show what tasks that do
something cost: a stack grows with what is called on it, and a connection has buffers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.contract import Ideal, Metric

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.harness.contract import Presentation, Value

SOURCE = "W19"


def _per_task(values: Mapping[str, Value], amount: float | None) -> float | None:
    tasks = values.get("tasks_count")
    return amount / tasks if isinstance(tasks, int) and tasks and amount is not None and amount > 0 else None


def bytes_per_task(values: Mapping[str, Value]) -> float | None:
    """Return how much memory came with one task; None if unknown or none."""
    before, waiting = values.get("before_bytes"), values.get("waiting_bytes")
    if not isinstance(before, int) or not isinstance(waiting, int):
        return None
    return _per_task(values, waiting - before)


def start_up_ns_per_task(values: Mapping[str, Value]) -> float | None:
    """Return how long it takes until one more task waits."""
    start_up_ns = values.get("start_up_ns")
    return _per_task(values, start_up_ns) if isinstance(start_up_ns, int) else None


METRICS = (
    Metric(
        "bytes_per_task",
        "Memory of one waiting task",
        "bytes",
        "lower",
        bytes_per_task,
        formula=("(waiting_bytes - before_bytes) / tasks_count; null if that is not above 0"),
    ),
    Metric("start_up_ns", "Time until all tasks wait", "ns", "lower"),
    Metric(
        "start_up_ns_per_task",
        "Time to start one task",
        "ns",
        "lower",
        start_up_ns_per_task,
        formula=("start_up_ns / tasks_count; null if that is not above 0"),
    ),
    Metric("release_ns", "Time to release all tasks and end them", "ns", "lower"),
    Metric("tasks_count", "Tasks that waited at once", "count", "higher"),
)
COLUMNS = {
    "tasks_count": "Tasks that waited, all at once, while the memory was read.",
    "before_bytes": (
        "Memory of the process and of all processes below it before any task was started; each counts its share of "
        "common pages (Pss)."
    ),
    "waiting_bytes": "The same while all tasks wait.",
    "start_up_ns": "From before an event loop is made or a task started until the last task waits.",
    "release_ns": "From when the memory had been read until nothing is left of what was started.",
}
INSIDE_THE_CLOCK = (
    "making the event loop if there is one (except gevent's, which the warm-up has made), starting all tasks, "
    "reading the memory, releasing the tasks, ending them"
)
IDEAL = Ideal("none: the needs of a waiting task depend on the interpreter and the system; the work sets no limit")
PRESENTATION: Presentation = {
    "overview": "10,000 tasks",
    "runner_names": {"interpreters_waiting": "interpreters, made one by one"},
}
