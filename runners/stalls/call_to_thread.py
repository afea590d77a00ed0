"""Each request calls a function that does nothing five times, each time in a thread by asyncio.to_thread."""

import asyncio

from runners.stalls.workload import CALLS, Job

NAME = "five calls in a thread"
FAMILY = "threads"
AT_ONCE = "beside"
ONLY = {"size": ("call",)}


async def handle(request: int) -> int:
    return sum([await asyncio.to_thread(int, request) for _ in range(CALLS)])


async def main(job: Job) -> list[int]:
    async with job.beating_heart():
        return [await handle(request) async for request in job.requests()]


def run(job: Job) -> list[int]:
    return asyncio.run(main(job))
