"""The garbage collector switched off: cycles are never freed."""

import asyncio
import gc

from runners.stalls.workload import Job

NAME = "gc.disable()"
FAMILY = "asyncio"
AT_ONCE = "in turn"
ONLY = {"size": ("live objects",)}


async def main(job: Job) -> list[int]:
    gc.disable()
    async with job.beating_heart():
        return [job.service.handle(request) async for request in job.requests()]


def run(job: Job) -> list[int]:
    return asyncio.run(main(job))
