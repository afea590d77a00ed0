"""Threads that all add to one counter, which a lock protects."""

from functools import partial
from threading import Lock

from runners.sharing._threads import in_threads
from runners.sharing.workload import Job, timed

NAME = "one counter with a lock"
FAMILY = "threads"
AT_ONCE = "workers"


class Counter:
    def __init__(self) -> None:
        self.lock = Lock()
        self.value = 0


@timed
def count(counter: Counter, numbers: range) -> int:
    for _ in numbers:
        with counter.lock:
            counter.value += 1
    return len(numbers)


def run(job: Job) -> None:
    for trial in job.trials(steps=200_000):
        counter = Counter()
        trial.answers = in_threads(partial(count, counter), trial.parts)
        trial.total = counter.value
