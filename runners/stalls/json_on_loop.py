"""Each request parses its JSON on the event loop."""

import asyncio

from runners.stalls._orders import total
from runners.stalls.workload import Job

NAME = "JSON on the loop"
FAMILY = "asyncio"
AT_ONCE = "in turn"
ONLY = {"size": ("JSON",)}


async def main(job: Job) -> list[int]:
    async with job.beating_heart():
        return [total(job.body) async for _ in job.requests()]


def run(job: Job) -> list[int]:
    return asyncio.run(main(job))
