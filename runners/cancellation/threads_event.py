"""Threads that each wait for an event that tells them to end: a thread can't be cancelled, it can only agree to it."""

import time
from threading import Event, Thread

from runners.cancellation.workload import Job

NAME = "threads, told by an event"
FAMILY = "threads"
AT_ONCE = "tasks"
ONLY = {"clean_up_s": (0.0,)}


def run(job: Job) -> list[int]:
    told = Event()
    threads = [Thread(target=job.block, args=(number, lambda _: told.wait(), time.sleep)) for number in job.numbers]
    for thread in threads:
        thread.start()
    job.all_wait.wait()
    job.cancels()
    told.set()
    for thread in threads:
        thread.join()
    job.goes_on()
    job.all_gone()
    return []
