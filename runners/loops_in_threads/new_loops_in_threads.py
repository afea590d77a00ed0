"""Eight threads, each of which makes and closes one event loop after another, for a coroutine that does nothing."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from runners.loops_in_threads.workload import Answer, Job, timed

NAME = "new loops in eight threads"
FAMILY = "threads"
AT_ONCE = "workers"
ONLY = {"kind": ("loops",)}


async def nothing() -> int:
    return 1


@timed
def run_loops(count: int) -> int:
    return sum(asyncio.run(nothing()) for _ in range(count))


def run(job: Job) -> list[Answer]:
    with ThreadPoolExecutor(job.workers) as pool:
        return list(pool.map(run_loops, [job.amount // job.workers] * job.workers))
