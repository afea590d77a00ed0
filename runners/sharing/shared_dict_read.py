"""Threads that all read one dict, which nobody changes."""

from functools import partial

from runners.sharing._threads import in_threads
from runners.sharing.workload import Job, timed

NAME = "one shared dict, read"
FAMILY = "threads"
AT_ONCE = "workers"


@timed
def count(sizes: dict[int, int], numbers: range) -> int:
    total = 0
    for number in numbers:
        total += sizes[number % 256]
    return total


def run(job: Job) -> None:
    sizes = dict.fromkeys(range(256), 1)
    for trial in job.trials(steps=800_000):
        trial.answers = in_threads(partial(count, sizes), trial.parts)
