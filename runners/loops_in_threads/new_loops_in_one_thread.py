"""One thread that makes and closes one event loop after another, each for a coroutine that does nothing."""

import asyncio

from runners.loops_in_threads.workload import Answer, Job, timed

NAME = "new loops in one thread"
FAMILY = "asyncio"
AT_ONCE = "one"
ONLY = {"kind": ("loops",)}


async def nothing() -> int:
    return 1


@timed
def run_loops(count: int) -> int:
    return sum(asyncio.run(nothing()) for _ in range(count))


def run(job: Job) -> list[Answer]:
    return [run_loops(job.amount)]
