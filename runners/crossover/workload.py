"""Crossover: the cases, the tasks of each, and who judges their answers."""

from __future__ import annotations

import gc
import math
import os
import random
import statistics
import time
from typing import TYPE_CHECKING, NamedTuple

from runners.crossover._pages import Page
from runners.crossover._points import LONGEST_BOUND_US, MEMORY_WAIT_US, Place, places
from runners.crossover._tasks import Computed, Done, Point, hashed, looped
from runners.harness.contract import Case, Outcome, Span, default_executor_threads, span_since

if TYPE_CHECKING:
    from collections.abc import Callable

    from runners.harness.contract import Parameters, Surroundings, Value

__all__ = ["Beaten", "Computed", "Done", "Job", "Measured", "Page", "Point"]

BASELINE = "asyncio_tasks"
SITES = True

TASKS = {
    "timers": (1, 10, 100, 1_000, 10_000),
    "sockets": (10, 100, 1_000),
    "hashing": (10, 100),
    "memory": (*MEMORY_WAIT_US,),
}
"""How many tasks arrive at once, by their kind."""
TURNS_PER_MS = {"turns_per_ms": 15_000, "hash_turns_per_ms": 2_000}
"""Of each loop, on a machine that was not asked; the harness puts what `calibrate` says in its place."""
CALIBRATION_RUNS = 9
STEPS_A_DECADE = 40
"""Calibrations are rounded to so many steps from 1 to 10: runs on like machines then do the same, and can be compared.
"""
BYTES_A_TASK = 150_000
"""What a task may come to hold: that of a thread, with what its stack is really used of."""
CHUNKS_A_WORKER = 4
"""As multiprocessing.Pool.map makes them."""
EARLY_NS = 1_100_000
"""So much sooner than asked for a task may go on: the timers of uvloop count in whole milliseconds."""


def _cases() -> dict[str, Case]:
    cases: dict[str, Case] = {}
    for kind, numbers in TASKS.items():
        for tasks in numbers:
            size = "1 task" if tasks == 1 else f"{tasks:,} tasks"
            cases[size if kind == "timers" else f"{size}, {kind}"] = Case(
                {"size": size, "kind": kind, "tasks": tasks},
                warm_up={"tasks": 2, "tiny": 1},
                quick=False,
                full=False,
                map=True,
                time_limit_s=90.0,
                memory_bytes=tasks * BYTES_A_TASK,
            )
    return cases


CASES = _cases()


class Measured(NamedTuple):
    """One point, measured."""

    point: Point
    whole: Span
    cpu_ns: int
    """Processor time of the process itself."""
    memory_bytes: int | None
    """The peak of its memory, above what it had before."""
    done: list[Done]


class Beaten(NamedTuple):
    """A point at which a model is not measured, since by arithmetic it takes too long there."""

    point: Point
    bound_us: int
    """So long at least."""


class Job(NamedTuple):
    """What a runner gets: the points of one sample, each of which it is to do in its way."""

    points: tuple[Point, ...]
    cores: int
    reset_peak: Callable[[], int | None]
    own_peak_bytes: Callable[[], int | None]
    one_ms_ns: int
    """What the turns of a millisecond of computing really take in this process."""

    def each_point(self, together: Callable[[Point], list[Done]], at_once: int = 0) -> list[Measured | Beaten]:
        """Have *together* do all tasks of each point, and measure each.

        A model that has only so many tasks *at_once* is not measured where that alone takes too long.
        """
        return [self._beaten(point, at_once) or self._measured(point, together) for point in self.points]

    @staticmethod
    def _beaten(point: Point, at_once: int) -> Beaten | None:
        bound_us = point.place.bound_us(point.tasks, at_once) if at_once else 0
        return Beaten(point, bound_us) if bound_us > LONGEST_BOUND_US else None

    def _measured(self, point: Point, together: Callable[[Point], list[Done]]) -> Measured:
        gc.collect()
        idle_bytes = self.reset_peak()
        cpu_ns, started_ns = time.process_time_ns(), time.perf_counter_ns()
        done = together(point)
        whole, cpu_ns = span_since(started_ns), time.process_time_ns() - cpu_ns
        peak_bytes = self.own_peak_bytes()
        memory_bytes = None if idle_bytes is None or peak_bytes is None else peak_bytes - idle_bytes
        return Measured(point, whole, cpu_ns, memory_bytes, done)


def calibrate() -> dict[str, int]:
    """Return how many turns of each loop take a millisecond here: of several tries the fastest, rounded."""
    return {
        name: rounded(max(_turns_per_ms(loop, TURNS_PER_MS[name]) for _ in range(CALIBRATION_RUNS)))
        for name, loop in (("turns_per_ms", looped), ("hash_turns_per_ms", hashed))
    }


def _turns_per_ms(loop: Callable[[int], int], turns: int) -> float:
    started_ns = time.perf_counter_ns()
    loop(turns)
    return turns * 1e6 / (time.perf_counter_ns() - started_ns)


def rounded(number: float) -> int:
    """Round to one of the steps, which are 6 % apart, so that a calibration does not depend on the moment."""
    step = round(STEPS_A_DECADE * math.log10(number))
    return round(10 ** (step / STEPS_A_DECADE))


def prepare(parameters: Parameters, surroundings: Surroundings) -> Job:
    """Make the job of one case."""
    tasks, kind = int(parameters["tasks"]), str(parameters["kind"])
    name = "hash_turns_per_ms" if kind == "hashing" else "turns_per_ms"
    turns_per_ms = int(parameters.get(name, TURNS_PER_MS[name]))
    there = [Place(100, 1_000)] if parameters.get("tiny") else list(places(kind, tasks, surroundings.cores))
    site = surroundings.sites[0] if kind == "sockets" else ""
    chunk = math.ceil(tasks / (CHUNKS_A_WORKER * surroundings.cores))
    points = [
        Point(place, tasks, turns_per_ms * place.compute_us // 1_000, kind, site, os.getpid(), chunk) for place in there
    ]
    random.Random(surroundings.seed).shuffle(points)  # noqa: S311 - an order, not a secret
    loop = hashed if kind == "hashing" else looped
    one_ms_ns = round(turns_per_ms * 1e6 / statistics.median(_turns_per_ms(loop, turns_per_ms) for _ in range(5)))
    return Job(tuple(points), surroundings.cores, surroundings.reset_peak, surroundings.own_peak_bytes, one_ms_ns)


def at_once(job: Job) -> dict[str, int]:
    """Say how many tasks may be under way at one moment, by what the runner declares in AT_ONCE."""
    tasks = max(point.tasks for point in job.points)
    limits = {"one": 1, "tasks": tasks, "workers": job.cores, "default pool": default_executor_threads()}
    return {word: min(limit, tasks) for word, limit in limits.items()}


def judge(job: Job, returned: list[Measured | Beaten]) -> Outcome:
    """Check that at each point every task was done once, with the right answer, and waited as long as it had to."""
    values: dict[str, Value] = {
        "compute_1ms_taken_ns": job.one_ms_ns,
        "cores_count": job.cores,
        "tasks_count": job.points[0].tasks,
    }
    spans: list[Span] = []
    wrong = "" if {one.point for one in returned} == {*job.points} else "not every point was done"
    for one in returned:
        name = one.point.place.column
        if isinstance(one, Beaten):
            values[f"{name}_bound_ns"] = one.bound_us * 1_000
            continue
        wrong = wrong or _wrong(one)
        values.update({f"{name}_{what}": value for what, value in _values(one).items()})
        if one.point.kind == "memory":
            values[f"{name}_fresh_memory_bytes"] = _memory_bytes(one)
        spans += [done.span for done in one.done]
    return Outcome(values, spans, wrong)


def _wrong(measured: Measured) -> str:
    """Say what is wrong with the tasks of one point; empty: nothing."""
    point = measured.point
    if sorted(done.number for done in measured.done) != list(range(point.tasks)):
        return f"{point.tasks} tasks are to be done at {point.place}, each once; done were {len(measured.done)}"
    answer = hashed(point.turns) if point.kind == "hashing" else looped(point.turns)
    if any(done.computed.answer != answer for done in measured.done):
        return f"a task at {point.place} computed something else"
    shortest_ns = point.place.wait_us * 1_000 - EARLY_NS
    if any(done.span.ended_ns - done.span.started_ns < shortest_ns for done in measured.done):
        return f"a task at {point.place} did not wait"
    return ""


def _values(measured: Measured) -> dict[str, Value]:
    """Return what is recorded of one point."""
    latencies_us = [(done.span.ended_ns - measured.whole.started_ns) // 1_000 for done in measured.done]
    others: dict[int, int] = {}
    for done in measured.done:
        computed = done.computed
        if computed.process_id != measured.point.process_id:
            others[computed.process_id] = max(computed.cpu_ns, others.get(computed.process_id, 0))
    return {
        "elapsed_ns": measured.whole.ended_ns - measured.whole.started_ns,
        "cpu_us": (measured.cpu_ns + sum(others.values())) // 1_000,
        "median_us": round(statistics.median(latencies_us)),
        "worst_us": max(latencies_us),
    }


def _memory_bytes(measured: Measured) -> int | None:
    """Return the memory of one point, with that of its worker processes; None if any of it is unknown.

    The process must not have measured another point before: memory that it freed may still count as its own.
    """
    workers: dict[int, int | None] = {}
    for done in measured.done:
        computed = done.computed
        if computed.process_id != measured.point.process_id:
            workers[computed.process_id] = computed.worker_bytes or workers.get(computed.process_id)
    memory = [measured.memory_bytes, *workers.values()]
    known = [each for each in memory if each is not None]
    return sum(known) if len(known) == len(memory) else None
