"""Cancellation: the cases, the job of each, and who judges what became of the tasks."""

from __future__ import annotations

import asyncio
import time
from threading import Event
from typing import TYPE_CHECKING, NamedTuple

from runners.harness.contract import Case, Outcome, Span, default_executor_threads, span_since

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from runners.harness.contract import Parameters, Surroundings, Value

    Sleep = Callable[[float], Coroutine[None, None, None]]

BASELINE = "gather_cancel"


def _case(clean_up_s: float) -> Case:
    return Case(
        {"size": "published", "tasks": 1000, "wait_s": 0.25, "lead_s": 0.01, "clean_up_s": clean_up_s},
        warm_up={"tasks": 20, "wait_s": 0.1, "lead_s": 0.005},
        block="published",
        quick=False,
    )


CASES = {"published, tasks that wait": _case(0.0), "published, tasks that clean up": _case(0.001)}


class CleanUp(NamedTuple):
    """A task's clean-up, the last that it does; the span is all of the task's life."""

    number: int
    span: Span


class Job:
    """What a runner gets: what a task does, and where to say that they are cancelled and that all are gone."""

    def __init__(self, parameters: Parameters) -> None:
        """Begin with no task."""
        self.numbers = range(int(parameters["tasks"]))
        self.lead_s = float(parameters["lead_s"])
        self.wait_s = float(parameters["wait_s"])
        self.clean_up_s = float(parameters["clean_up_s"])
        self.all_wait = Event()
        """Set once every task has begun."""
        self.begun: list[int] = []
        self.ran_on: list[int] = []
        self.clean_ups: list[CleanUp] = []
        self.begun_before_count = 0
        self.left_count = 0
        self.cancelled_ns = self.went_on_ns = self.gone_ns = 0

    async def wait(self, number: int, sleep: Sleep = asyncio.sleep, sleep_on: Sleep | None = None) -> None:
        """Wait as a task, by *sleep*; then clean up, by *sleep_on* where it needs another not to be cut short."""
        started_ns = self._begin(number)
        try:
            await sleep(self.wait_s)
            self.ran_on.append(number)
        finally:
            if self.clean_up_s:
                await (sleep_on or sleep)(self.clean_up_s)
            self.clean_ups.append(CleanUp(number, span_since(started_ns)))

    def block(self, number: int, sleep: Callable[[float], object], sleep_on: Callable[[float], object]) -> None:
        """Wait as a greenlet or a thread, by *sleep*, which returns True where it was told to end; then clean up."""
        started_ns = self._begin(number)
        try:
            if not sleep(self.wait_s):
                self.ran_on.append(number)
        finally:
            if self.clean_up_s:
                sleep_on(self.clean_up_s)
            self.clean_ups.append(CleanUp(number, span_since(started_ns)))

    def _begin(self, number: int) -> int:
        started_ns = time.perf_counter_ns()
        self.begun.append(number)
        if len(self.begun) == len(self.numbers):
            self.all_wait.set()
        return started_ns

    def cancels(self) -> None:
        """Say that now the tasks are cancelled, or that now one fails."""
        self.begun_before_count = len(self.begun)
        self.cancelled_ns = time.perf_counter_ns()

    def goes_on(self) -> None:
        """Say that whoever waited for the tasks goes on, with or without them."""
        self.went_on_ns = time.perf_counter_ns()
        self.left_count = len(self.begun) - len(self.clean_ups)

    def all_gone(self) -> None:
        """Say that every task is gone."""
        self.gone_ns = time.perf_counter_ns()


def prepare(parameters: Parameters, _surroundings: Surroundings) -> Job:
    """Make the job of one case."""
    return Job(parameters)


def at_once(job: Job) -> dict[str, int]:
    """Say how many tasks may wait at one moment, by what the runner declares in AT_ONCE."""
    tasks = len(job.numbers)
    return {"tasks": tasks, "default executor": min(tasks, default_executor_threads())}


def judge(job: Job, withdrawn: list[int]) -> Outcome:
    """Check that each task waited when it was cancelled, or was *withdrawn* before it began, and that all are gone."""
    spans = [clean_up.span for clean_up in job.clean_ups]
    values: dict[str, Value] = {
        "gone_ns": job.gone_ns - job.cancelled_ns,
        "went_on_ns": job.went_on_ns - job.cancelled_ns,
        "left_count": job.left_count,
        "ran_on_count": len(job.ran_on),
        "cleaned_up_count": len(job.clean_ups),
        "withdrawn_count": len(withdrawn),
    }
    return Outcome(values, spans, _what_is_wrong(job, withdrawn))


def _what_is_wrong(job: Job, withdrawn: list[int]) -> str:
    tasks, begun, cleaned_up = len(job.numbers), len(job.begun), len(job.clean_ups)
    late_beginners = begun - job.begun_before_count
    early = sum(clean_up.span.ended_ns < job.cancelled_ns for clean_up in job.clean_ups)
    late = sum(clean_up.span.ended_ns > job.gone_ns for clean_up in job.clean_ups)
    mistakes = (
        (
            sorted([*job.begun, *withdrawn]) != list(job.numbers),
            f"{tasks} tasks are to begin or to be withdrawn; {begun} began, {len(withdrawn)} were withdrawn",
        ),
        (
            not 0 < job.cancelled_ns <= job.went_on_ns <= job.gone_ns,
            "it is not said when the tasks were cancelled, when it went on and when they were gone",
        ),
        (late_beginners, f"{late_beginners} tasks began after they were cancelled"),
        (
            sorted(clean_up.number for clean_up in job.clean_ups) != sorted(job.begun),
            f"{begun} tasks began and are to clean up, each once; there were {cleaned_up} clean-ups",
        ),
        (early, f"{early} tasks were over before they were cancelled"),
        (late, f"{late} tasks were not gone when all were said to be"),
    )
    return next((words for wrong, words in mistakes if wrong), "")
