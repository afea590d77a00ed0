"""A pool of 200 threads, made for work that waits."""

from concurrent.futures import ThreadPoolExecutor

from runners.everyday.workload import Answer, Job

NAME = "thread pool of 200"
FAMILY = "threads"
AT_ONCE = "large pool"
ONLY = {"kind": ("call",)}


def run(job: Job) -> list[Answer]:
    with ThreadPoolExecutor(max_workers=job.large_pool) as pool:
        return list(pool.map(job.work, job.items))
