"""A thread for each task, with the stack that the system gives a thread."""

import time
from threading import Event, Thread

from runners.idle_tasks.workload import Job

NAME = "threads"
FAMILY = "threads"
AT_ONCE = "tasks"


def wait(job: Job, number: int, release: Event) -> None:
    job.arrive(number)
    release.wait()
    job.leave(number)


def run(job: Job) -> None:
    job.begin()
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
