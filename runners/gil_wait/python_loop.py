"""Threads that compute in pure Python, beside one that sleeps."""

from threading import Thread

from runners.gil_wait.workload import Job

NAME = "threads in a Python loop"
FAMILY = "threads"
AT_ONCE = "computing"
ONLY = {"computing": (0, 1, 2, 4)}


def compute(job: Job) -> None:
    turns = total = 0
    with job.part() as results:
        while turns == 0 or not job.over.is_set():
            turns += 1
            total += turns
        results.append(total == turns * (turns + 1) // 2)


def run(job: Job) -> None:
    threads = [Thread(target=compute, args=(job,)) for _ in range(job.computing)]
    for thread in threads:
        thread.start()
    job.all_ready.wait()
    job.sleep_and_wake()
    job.over.set()
    for thread in threads:
        thread.join()
