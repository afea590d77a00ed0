"""A pool of processes, each a copy of this one; one power a call."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor, as_completed

from runners.power.workload import Answer, Job

NAME = "process pool, forked"
FAMILY = "processes"
AT_ONCE = "workers"
REQUIRES_FORK = True


def run(job: Job) -> list[Answer]:
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(max_workers=job.cores, mp_context=context) as pool:
        futures = [pool.submit(job.work, number) for number in job.numbers]
        return [future.result() for future in as_completed(futures)]
