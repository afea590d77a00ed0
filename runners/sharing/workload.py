"""Sharing: the trials of a sample, how their work is timed, and who judges the totals."""

from __future__ import annotations

import functools
import time
from typing import TYPE_CHECKING, NamedTuple, ParamSpec

from runners.harness.contract import Case, Outcome, Span, span_since

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from runners.harness.contract import Parameters, Surroundings, Value

BASELINE = "processes"

PAIRS = 3
"""Trials with one worker in a sample, and as many with two, in turn."""
Arguments = ParamSpec("Arguments")

CASES = {
    "1 and 2 workers": Case(
        {"size": "1 and 2 workers", "workers": 2, "steps_percent": 100, "step_size": "1.0"},
        warm_up={"steps_percent": 1},
        quick=False,
        time_limit_s=60.0,
    )
}


class Answer(NamedTuple):
    """How many steps a worker counted, and when and where."""

    counted: float
    span: Span


def timed(work: Callable[Arguments, float]) -> Callable[Arguments, Answer]:
    """Make *work*, which returns what it counted, return an Answer."""

    @functools.wraps(work)
    def timed_work(*args: Arguments.args, **options: Arguments.kwargs) -> Answer:
        started_ns = time.perf_counter_ns()
        counted = work(*args, **options)
        return Answer(counted, span_since(started_ns))

    return timed_work


class Trial:
    """The same steps for one worker, or divided between several."""

    def __init__(self, steps: int, workers: int) -> None:
        self.workers = workers
        self.steps = steps - steps % workers
        share = steps // workers
        self.parts = [range(number * share, (number + 1) * share) for number in range(workers)]
        """The numbers that each worker counts."""
        self.answers: list[Answer] = []
        self.total: float | None = None
        """The count that is left in what the workers share. Default: the sum of their answers."""

    @property
    def counted(self) -> float:
        """The count in the end."""
        return sum(answer.counted for answer in self.answers) if self.total is None else self.total

    @property
    def threads(self) -> int:
        """How many threads or processes did the work."""
        return len({(answer.span.process_id, answer.span.thread_id) for answer in self.answers})

    @property
    def elapsed_ns(self) -> int:
        """The time from when the first worker began to when the last one ended."""
        spans = [answer.span for answer in self.answers]
        return max(span.ended_ns for span in spans) - min(span.started_ns for span in spans)


class Job:
    """What a runner gets: its trials, one after another, and the size of a step."""

    def __init__(self, parameters: Parameters) -> None:
        self.workers = int(parameters["workers"])
        self.steps_percent = int(parameters["steps_percent"])
        self.step_size = float(parameters["step_size"])
        """1.0, but an object like any other. A literal never dies, so without a GIL nobody counts its references."""
        self.done: list[Trial] = []

    def trials(self, steps: int) -> Iterator[Trial]:
        """Yield a trial with one worker, one with all workers, and so on in turn. Each has the same *steps*."""
        for workers in (1, self.workers) * PAIRS:
            trial = Trial(steps * self.steps_percent // 100, workers)
            yield trial
            self.done.append(trial)


def prepare(parameters: Parameters, _surroundings: Surroundings) -> Job:
    """Make the job of one case."""
    return Job(parameters)


def at_once(job: Job) -> dict[str, int]:
    """Return how many workers may be at work at one moment."""
    return {"workers": job.workers}


def judge(job: Job, _returned: None) -> Outcome:
    """Check that every step was counted once in each trial, and add up the trials' times."""
    workers = [trial.workers for trial in job.done]
    if workers != [1, job.workers] * PAIRS:
        return Outcome({}, [], f"the trials have {workers} workers")
    for trial in job.done:
        if trial.threads != trial.workers:
            return Outcome({}, [], f"{trial.threads} workers took part, not {trial.workers}")
        if trial.counted != trial.steps:
            return Outcome({}, [], f"{trial.workers} workers counted {trial.counted:g} steps, not {trial.steps}")
    values: dict[str, Value] = {
        "one_worker_ns": sum(trial.elapsed_ns for trial in job.done if trial.workers == 1),
        "two_workers_ns": sum(trial.elapsed_ns for trial in job.done if trial.workers > 1),
        "steps_count": sum(trial.steps for trial in job.done if trial.workers == 1),
    }
    return Outcome(values, [answer.span for trial in job.done for answer in trial.answers], "")
