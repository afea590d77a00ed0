"""A pool of processes, each forked from a server that was started for it; one number a call."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor, as_completed

from runners.primes.workload import Answer, Job

NAME = "process pool, fork server"
FAMILY = "processes"
AT_ONCE = "workers"
ONLY = {"timer": (0,)}
REQUIRES_FORK = True


def run(job: Job) -> list[Answer]:
    context = multiprocessing.get_context("forkserver")
    with ProcessPoolExecutor(max_workers=job.workers, mp_context=context) as pool:
        futures = [pool.submit(job.work, number) for number in job.numbers]
        return [future.result() for future in as_completed(futures)]
