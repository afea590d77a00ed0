"""A pool of threads, all of which are there before the first item."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from runners.pool_size.workload import Answer, Job

NAME = "thread pool, started"
FAMILY = "threads"
AT_ONCE = "workers"
ONLY = {"threads": (1,)}


def run(job: Job) -> list[Answer]:
    with ThreadPoolExecutor(max_workers=job.workers) as pool:
        barrier = Barrier(job.workers)
        list(pool.map(lambda _: barrier.wait(), range(job.workers)))  # so many calls at once need all threads
        return list(pool.map(job.work, job.items))
