"""Threads that only wait."""

from threading import Thread

from runners.gil_wait.workload import Job

NAME = "threads that only wait"
FAMILY = "threads"
AT_ONCE = "waiting"
ONLY = {"waiting": (1, 10)}


def wait(job: Job) -> None:
    with job.part():
        job.sleep_and_wake()


def run(job: Job) -> None:
    threads = [Thread(target=wait, args=(job,)) for _ in range(job.waiting)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
