"""Threads that all write one attribute of a class, and read it."""

from runners.sharing._threads import in_threads
from runners.sharing.workload import Job, timed

NAME = "a class attribute, written and read"
FAMILY = "threads"
AT_ONCE = "workers"


class Progress:
    latest = 0


@timed
def count(numbers: range) -> int:
    total = 0
    for number in numbers:
        Progress.latest = number
        if Progress.latest >= 0:
            total += 1
    return total


def run(job: Job) -> None:
    for trial in job.trials(steps=500_000):
        trial.answers = in_threads(count, trial.parts)
