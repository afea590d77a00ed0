"""Threads that each count in a dict of their own, and add that to one dict at the end."""

from functools import partial
from threading import Lock

from runners.sharing._threads import in_threads
from runners.sharing.workload import Job, timed

NAME = "a dict each, merged at the end"
FAMILY = "threads"
AT_ONCE = "workers"


@timed
def count(counts: dict[int, int], lock: Lock, numbers: range) -> int:
    own: dict[int, int] = {}
    for number in numbers:
        key = numbers.stop + number % 100
        own[key] = own.get(key, 0) + 1
    with lock:
        for key, amount in own.items():
            counts[key] = counts.get(key, 0) + amount
    return len(numbers)


def run(job: Job) -> None:
    for trial in job.trials(steps=300_000):
        counts: dict[int, int] = {}
        trial.answers = in_threads(partial(count, counts, Lock()), trial.parts)
        trial.total = sum(counts.values())
