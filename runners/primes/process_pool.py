"""A pool of processes, one number a call."""

from concurrent.futures import ProcessPoolExecutor, as_completed

from runners.primes.workload import Answer, Job

NAME = "process pool"
FAMILY = "processes"
AT_ONCE = "workers"
ONLY = {"timer": (0,)}


def run(job: Job) -> list[Answer]:
    with ProcessPoolExecutor(max_workers=job.workers) as pool:
        futures = [pool.submit(job.work, number) for number in job.numbers]
        return [future.result() for future in as_completed(futures)]
