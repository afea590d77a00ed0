"""A pool of threads, one number a call."""

from concurrent.futures import ThreadPoolExecutor, as_completed

from runners.primes.workload import Answer, Job

NAME = "thread pool"
FAMILY = "threads"
AT_ONCE = "workers"
ONLY = {"timer": (0,)}


def run(job: Job) -> list[Answer]:
    with ThreadPoolExecutor(max_workers=job.workers) as pool:
        futures = [pool.submit(job.work, number) for number in job.numbers]
        return [future.result() for future in as_completed(futures)]
