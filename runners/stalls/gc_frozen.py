"""The garbage collector, told by gc.freeze() to leave alone what was there before the first request."""

import asyncio
import gc

from runners.stalls.workload import Job

NAME = "gc.freeze() before the requests"
FAMILY = "asyncio"
AT_ONCE = "in turn"
ONLY = {"size": ("live objects",)}


async def main(job: Job) -> list[int]:
    gc.freeze()
    async with job.beating_heart():
        return [job.service.handle(request) async for request in job.requests()]


def run(job: Job) -> list[int]:
    return asyncio.run(main(job))
