"""Idle tasks: the cases, the job of each, and who judges whether all really waited at once."""

from __future__ import annotations

import os
import time
from _thread import get_ident  # as it is before a runner puts greenlets in the place of threads
from array import array
from typing import TYPE_CHECKING, NamedTuple

from runners.harness.contract import Case, Outcome, Span
from runners.idle_tasks._memory import look

if TYPE_CHECKING:
    from runners.harness.contract import Parameters, Surroundings, Value
    from runners.idle_tasks._memory import Memory

BASELINE = "asyncio_tasks"

MOST_BYTES = {100: 12_000_000, 1_000: 100_000, 10_000: 100_000}
"""Of a task, by their number: of a process or an interpreter, or of a thread."""
FEWEST = 100
TASKS = (FEWEST, 1_000, 10_000)


def _case(tasks: int) -> Case:
    return Case(
        {"size": f"{tasks:,} tasks", "tasks": tasks},
        warm_up={"tasks": 3},
        baseline="threads" if tasks == FEWEST else BASELINE,  # so few small tasks may fit where there is room already
        quick=False,
        steady=True,
        time_limit_s=60.0,
        memory_bytes=tasks * MOST_BYTES[tasks],
    )


CASES = {f"{tasks:,} tasks": _case(tasks) for tasks in TASKS}


class Stamp(NamedTuple):
    """A task's number, and when and where it was."""

    number: int
    at_ns: int
    process_id: int
    thread_id: int


def stamp(number: int) -> Stamp:
    """Note where task *number* is now. One that shares no memory with the job sends it there."""
    return Stamp(number, time.perf_counter_ns(), os.getpid(), get_ident())


class Job:
    """What a runner gets: the tasks' numbers, and whom to tell that a task arrives where it waits, and leaves."""

    def __init__(self, tasks: int) -> None:
        """Have room for all notes from the beginning, so that they are not counted as memory of the tasks."""
        self.numbers = range(tasks)
        self.arrived_ns = array("q", bytes(8 * tasks))
        self.left_ns = array("q", bytes(8 * tasks))
        self.process_ids = array("q", bytes(8 * tasks))
        self.thread_ids = array("Q", bytes(8 * tasks))
        self.begun_ns = self.look_began_ns = self.looked_ns = self.ended_ns = 0
        self.before: Memory | None = None
        self.waiting: Memory | None = None

    def begin(self) -> None:
        """Look at the memory, and begin: the first thing that a runner does."""
        self.before = look()
        self.begun_ns = time.perf_counter_ns()

    def arrive(self, number: int) -> None:
        """Say that task *number* is where it waits now."""
        self.note_arrival(stamp(number))

    def leave(self, number: int) -> None:
        """Say that task *number* waits no longer."""
        self.note_leaving(stamp(number))

    def note_arrival(self, arrived: Stamp) -> None:
        """Keep when and where a task arrived."""
        self.process_ids[arrived.number], self.thread_ids[arrived.number] = arrived.process_id, arrived.thread_id
        self.arrived_ns[arrived.number] = arrived.at_ns

    def note_leaving(self, left: Stamp) -> None:
        """Keep when a task left."""
        self.left_ns[left.number] = left.at_ns

    def all_wait(self) -> bool:
        """Return whether every task has arrived."""
        return 0 not in self.arrived_ns

    def look(self) -> None:
        """Look at the memory while all wait; then they may be released."""
        self.look_began_ns = time.perf_counter_ns()
        self.waiting = look()
        self.looked_ns = time.perf_counter_ns()

    def end(self) -> None:
        """Say that nothing is left of what was started: the last thing that a runner does."""
        self.ended_ns = time.perf_counter_ns()


def prepare(parameters: Parameters, _surroundings: Surroundings) -> Job:
    """Make the job of one case."""
    return Job(int(parameters["tasks"]))


def at_once(job: Job) -> dict[str, int]:
    """Say how many tasks may wait at one moment: all of them, and all must."""
    return {"tasks": len(job.numbers)}


def judge(job: Job, _returned: None) -> Outcome:
    """Check that all tasks were there and waited while the memory was looked at."""
    tasks = len(job.numbers)
    waited = sum(
        0 < arrived_ns <= job.look_began_ns and left_ns >= job.looked_ns > 0
        for arrived_ns, left_ns in zip(job.arrived_ns, job.left_ns, strict=True)
    )
    wrong = "" if waited == tasks else f"of {tasks} tasks, {waited} waited while the memory was looked at"
    if not job.begun_ns <= min(job.arrived_ns, default=0) or not max(job.left_ns, default=0) <= job.ended_ns:
        wrong = wrong or "tasks ran before the beginning or after the end"
    values: dict[str, Value] = {"tasks_count": waited, "before_bytes": None, "waiting_bytes": None}
    if job.before and job.waiting and job.waiting.processes.issuperset(job.process_ids):
        values["before_bytes"] = job.before.proportional_bytes
        values["waiting_bytes"] = job.waiting.proportional_bytes
    if not wrong:
        values["start_up_ns"] = max(job.arrived_ns) - job.begun_ns
        values["release_ns"] = job.ended_ns - job.looked_ns
    return Outcome(values, _spans(job) if not wrong else [], wrong)


def _spans(job: Job) -> list[Span]:
    return [*map(Span, job.arrived_ns, job.left_ns, job.process_ids, job.thread_ids)]
