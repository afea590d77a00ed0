"""One event loop, which does all the work."""

import asyncio

from runners.loops_in_threads.workload import Answer, Job, Share, timed

NAME = "one loop"
FAMILY = "asyncio"
AT_ONCE = "one"
ONLY = {"kind": ("trees", "connections")}


@timed
def run_loop(share: Share) -> int:
    return asyncio.run(share.work())


def run(job: Job) -> list[Answer]:
    return [run_loop(job.all)]
