"""Threads that all read one attribute of a class. Its value is a literal, whose references nobody counts."""

from runners.sharing._threads import in_threads
from runners.sharing.workload import Job, timed

NAME = "a class attribute, read"
FAMILY = "threads"
AT_ONCE = "workers"


class Step:
    size = 1.0


@timed
def count(numbers: range) -> float:
    total = 0.0
    for _ in numbers:
        total += Step.size
    return total


def run(job: Job) -> None:
    for trial in job.trials(steps=1_200_000):
        trial.answers = in_threads(count, trial.parts)
