"""Two threads with an event loop in each, which does half of the work."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from runners.loops_in_threads.workload import Answer, Job, Share, timed

NAME = "a loop in each of two threads"
FAMILY = "threads"
AT_ONCE = "workers"
ONLY = {"kind": ("trees", "connections")}


@timed
def run_loop(share: Share) -> int:
    return asyncio.run(share.work())


def run(job: Job) -> list[Answer]:
    with ThreadPoolExecutor(job.workers) as pool:
        return list(pool.map(run_loop, job.shares))
