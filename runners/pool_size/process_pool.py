"""A pool of processes, all of which are there before the first item; items are handed over in chunks."""

import time
from concurrent.futures import ProcessPoolExecutor

from runners.pool_size.workload import Answer, Job

NAME = "process pool, started"
FAMILY = "processes"
AT_ONCE = "workers"
ONLY = {"processes": (1,)}


def run(job: Job) -> list[Answer]:
    with ProcessPoolExecutor(max_workers=job.workers) as pool:
        list(pool.map(time.sleep, [0.05] * job.workers))  # none is idle meanwhile, so all start
        chunk = len(job.items) // (4 * job.workers) or 1  # as multiprocessing.Pool chooses it
        return list(pool.map(job.work, job.items, chunksize=chunk))
