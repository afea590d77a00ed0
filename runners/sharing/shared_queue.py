"""Threads that all take from one queue.Queue, which is full when they begin."""

from functools import partial
from queue import Queue

from runners.sharing._threads import in_threads
from runners.sharing.workload import Job, timed

NAME = "one queue.Queue, emptied"
FAMILY = "threads"
AT_ONCE = "workers"


@timed
def count(queue: "Queue[int]", numbers: range) -> int:
    total = 0
    for _ in numbers:
        total += queue.get()
    return total


def run(job: Job) -> None:
    for trial in job.trials(steps=60_000):
        queue: Queue[int] = Queue()
        for _ in range(trial.steps):
            queue.put(1)
        trial.answers = in_threads(partial(count, queue), trial.parts)
