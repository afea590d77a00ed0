"""A pool of processes, each a copy of this one; one number a call."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor, as_completed

from runners.primes.workload import Answer, Job

NAME = "process pool, forked"
FAMILY = "processes"
AT_ONCE = "workers"
ONLY = {"timer": (0,)}
REQUIRES_FORK = True


def run(job: Job) -> list[Answer]:
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(max_workers=job.workers, mp_context=context) as pool:
        futures = [pool.submit(job.work, number) for number in job.numbers]
        return [future.result() for future in as_completed(futures)]
