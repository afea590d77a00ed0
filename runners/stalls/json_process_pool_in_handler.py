"""Each request starts a pool of one process, parses its JSON there, and ends the pool."""

import asyncio
from concurrent.futures import ProcessPoolExecutor

from runners.stalls._orders import total
from runners.stalls.workload import Job

NAME = "JSON in a process made by the handler"
FAMILY = "processes"
AT_ONCE = "beside"
ONLY = {"size": ("JSON",)}


async def handle(body: bytes) -> int:
    loop = asyncio.get_running_loop()
    with ProcessPoolExecutor(max_workers=1) as pool:
        return await loop.run_in_executor(pool, total, body)


async def main(job: Job) -> list[int]:
    async with job.beating_heart():
        return [await handle(job.body) async for _ in job.requests()]


def run(job: Job) -> list[int]:
    return asyncio.run(main(job))
