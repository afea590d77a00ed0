"""A thread for each task, with a stack of 64 KiB: twice the least that Python takes, and enough to wait.

A stack is memory that is set aside, not memory that is used: a page of it counts once it is touched. A small one is for
systems that limit what may be set aside, and for address spaces of 32 bits.
"""

import threading
import time
from threading import Event, Thread

from runners.idle_tasks.workload import Job

NAME = "threads, 64 KiB of stack each"
FAMILY = "threads"
AT_ONCE = "tasks"
ONLY = {"tasks": (1_000,)}  # what it needs of one thread does not depend on their number, and 10,000 take seconds
STACK_BYTES = 64 * 1024


def wait(job: Job, number: int, release: Event) -> None:
    job.arrive(number)
    release.wait()
    job.leave(number)


def run(job: Job) -> None:
    job.begin()
    threading.stack_size(STACK_BYTES)
    release = Event()
    started: list[Thread] = []
    try:
        for number in job.numbers:
            thread = Thread(target=wait, args=(job, number, release))
            thread.start()
            started.append(thread)
        while not job.all_wait():
            time.sleep(0.001)
        job.look()
    finally:
        release.set()
        for thread in started:
            thread.join()
    job.end()
