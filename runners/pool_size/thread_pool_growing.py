"""A pool that starts a thread for an item if none is idle, up to its size: what ThreadPoolExecutor does by itself."""

from concurrent.futures import ThreadPoolExecutor

from runners.pool_size.workload import Answer, Job

NAME = "thread pool, growing"
FAMILY = "threads"
AT_ONCE = "workers"
ONLY = {"growing": (1,)}


def run(job: Job) -> list[Answer]:
    with ThreadPoolExecutor(max_workers=job.workers) as pool:
        return list(pool.map(job.work, job.items))
