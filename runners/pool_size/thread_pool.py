"""A pool of threads, all of which are there before the first item."""

from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event

from runners.pool_size.workload import Answer, Job

NAME = "thread pool, started"
FAMILY = "threads"
AT_ONCE = "workers"
ONLY = {"threads": (1,)}


def run(job: Job) -> list[Answer]:
    with ThreadPoolExecutor(max_workers=job.workers) as pool:
        ready = Event()
        try:
            calls = [pool.submit(ready.wait) for _ in range(job.workers)]  # none is idle: each starts a thread
        finally:
            ready.set()  # also if a thread is refused
        wait(calls)
        return list(pool.map(job.work, job.items))
