"""Each request parses its JSON in a process that was started before, and gets only the total back."""

import asyncio
from concurrent.futures import ProcessPoolExecutor

from runners.stalls._orders import total
from runners.stalls.workload import Job

NAME = "JSON in a process, started before"
FAMILY = "processes"
AT_ONCE = "beside"
ONLY = {"size": ("JSON",)}


async def main(job: Job) -> list[int]:
    loop = asyncio.get_running_loop()
    with ProcessPoolExecutor(max_workers=1) as pool:
        await loop.run_in_executor(pool, total, b"[]")  # afterwards the process is there
        async with job.beating_heart():
            return [await loop.run_in_executor(pool, total, job.body) async for _ in job.requests()]


def run(job: Job) -> list[int]:
    return asyncio.run(main(job))
