"""The garbage collector as it is by default."""

import asyncio

from runners.stalls.workload import Job

NAME = "garbage collector, default"
FAMILY = "asyncio"
AT_ONCE = "in turn"
ONLY = {"size": ("live objects",)}


async def main(job: Job) -> list[int]:
    async with job.beating_heart():
        return [job.service.handle(request) async for request in job.requests()]


def run(job: Job) -> list[int]:
    return asyncio.run(main(job))
