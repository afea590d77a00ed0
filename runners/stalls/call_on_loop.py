"""Each request calls a function that does nothing five times, on the event loop: the floor."""

import asyncio

from runners.stalls.workload import CALLS, Job

NAME = "five calls on the loop"
FAMILY = "asyncio"
AT_ONCE = "in turn"
ONLY = {"size": ("call",)}


def handle(request: int) -> int:
    return sum(int(request) for _ in range(CALLS))


async def main(job: Job) -> list[int]:
    async with job.beating_heart():
        return [handle(request) async for request in job.requests()]


def run(job: Job) -> list[int]:
    return asyncio.run(main(job))
