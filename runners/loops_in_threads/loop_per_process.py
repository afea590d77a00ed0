"""Two processes with an event loop in each, which does half of the work.

They wait for each other before they begin, so that the time of the work does not contain their start.
"""

import asyncio
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import Barrier

from runners.loops_in_threads.workload import Answer, Job, Share, timed

NAME = "a loop in each of two processes"
FAMILY = "processes"
AT_ONCE = "workers"
ONLY = {"kind": ("trees", "connections")}


@timed
def run_loop(share: Share) -> int:
    return asyncio.run(share.work())


def run(job: Job) -> list[Answer]:
    all_started = Barrier(job.workers)
    pools = [ProcessPoolExecutor(1, initializer=all_started.wait) for _ in job.shares]
    futures = [pool.submit(run_loop, share) for pool, share in zip(pools, job.shares, strict=True)]
    answers = [future.result() for future in futures]
    for pool in pools:
        pool.shutdown()
    return answers
