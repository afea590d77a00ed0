"""Threads that all use one threading.local, in which each has a count of its own."""

import threading
from functools import partial

from runners.sharing._threads import in_threads
from runners.sharing.workload import Job, timed

NAME = "threading.local"
FAMILY = "threads"
AT_ONCE = "workers"


@timed
def count(own: threading.local, numbers: range) -> int:
    own.total = 0
    for _ in numbers:
        own.total += 1
    return int(own.total)


def run(job: Job) -> None:
    own = threading.local()
    for trial in job.trials(steps=300_000):
        trial.answers = in_threads(partial(count, own), trial.parts)
