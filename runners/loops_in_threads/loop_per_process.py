"""Two processes with an event loop in each, which does half of the work.

Before the work, each does a little of its kind, as this process has done, and waits for the other. In a new process
reading is slow until a connection has been closed: by default, C libraries on Linux get a large buffer from the system
each time, until one of that size has been given back.
"""

import asyncio
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import Barrier, synchronize

from runners.loops_in_threads.workload import Answer, Job, Share, timed

NAME = "a loop in each of two processes"
FAMILY = "processes"
AT_ONCE = "workers"
ONLY = {"kind": ("trees", "connections")}


@timed
def run_loop(share: Share) -> int:
    return asyncio.run(share.work())


def begin(share: Share, all_started: synchronize.Barrier) -> None:
    asyncio.run(share.work())
    all_started.wait()


def run(job: Job) -> list[Answer]:
    all_started = Barrier(job.workers)
    pools = [ProcessPoolExecutor(1, initializer=begin, initargs=(job.little, all_started)) for _ in job.shares]
    futures = [pool.submit(run_loop, share) for pool, share in zip(pools, job.shares, strict=True)]
    answers = [future.result() for future in futures]
    for pool in pools:
        pool.shutdown()
    return answers
