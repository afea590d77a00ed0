"""Threads that all count in one dict. Each has keys of its own there, so it needs no lock."""

from functools import partial

from runners.sharing._threads import in_threads
from runners.sharing.workload import Job, timed

NAME = "one shared dict, written"
FAMILY = "threads"
AT_ONCE = "workers"


@timed
def count(counts: dict[int, int], numbers: range) -> int:
    for number in numbers:
        key = numbers.stop + number % 100
        counts[key] = counts.get(key, 0) + 1
    return len(numbers)


def run(job: Job) -> None:
    for trial in job.trials(steps=300_000):
        counts: dict[int, int] = {}
        trial.answers = in_threads(partial(count, counts), trial.parts)
        trial.total = sum(counts.values())
