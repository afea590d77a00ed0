"""Threads that all read one attribute of one object, so all take references to the same value."""

from functools import partial

from runners.sharing._threads import in_threads
from runners.sharing.workload import Job, timed

NAME = "one shared value, read"
FAMILY = "threads"
AT_ONCE = "workers"


class Step:
    def __init__(self, size: float) -> None:
        self.size = size


@timed
def count(step: Step, numbers: range) -> float:
    total = 0.0
    for _ in numbers:
        total += step.size
    return total


def run(job: Job) -> None:
    step = Step(job.step_size)
    for trial in job.trials(steps=1_200_000):
        trial.answers = in_threads(partial(count, step), trial.parts)
