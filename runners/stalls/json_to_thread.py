"""Each request parses its JSON in a thread, by asyncio.to_thread. The parser is written in C and keeps the GIL."""

import asyncio

from runners.stalls._orders import total
from runners.stalls.workload import Job

NAME = "JSON in a thread"
FAMILY = "threads"
AT_ONCE = "beside"
ONLY = {"size": ("JSON",)}


async def main(job: Job) -> list[int]:
    async with job.beating_heart():
        return [await asyncio.to_thread(total, job.body) async for _ in job.requests()]


def run(job: Job) -> list[int]:
    return asyncio.run(main(job))
