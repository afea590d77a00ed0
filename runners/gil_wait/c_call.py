"""Threads that compute in long operations written in C, beside one that sleeps."""

from threading import Thread

from runners.gil_wait.workload import Job

NAME = "threads in long C calls"
FAMILY = "threads"
AT_ONCE = "computing"
ONLY = {"computing": (1, 2, 4)}


def compute(job: Job) -> None:
    with job.part() as results:
        while not results or not job.over.is_set():
            results.append(job.is_power(7777**job.exponent))


def run(job: Job) -> None:
    threads = [Thread(target=compute, args=(job,)) for _ in range(job.computing)]
    for thread in threads:
        thread.start()
    job.all_ready.wait()
    job.sleep_and_wake()
    job.over.set()
    for thread in threads:
        thread.join()
