"""Threads that all read one dict, which nobody changes."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

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
    for trial in job.trials(steps=600_000):
        with ThreadPoolExecutor(trial.workers) as pool:
            trial.answers = list(pool.map(partial(count, sizes), trial.parts))
