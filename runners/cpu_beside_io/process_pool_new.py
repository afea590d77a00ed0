"""A process of a pool that is made for the one call, while the heart beats, and ended after it."""

import asyncio
from concurrent.futures import ProcessPoolExecutor

from runners.cpu_beside_io.workload import Job, Part

NAME = "process, started for it"
FAMILY = "processes"
AT_ONCE = "beside"
ONLY = {"work": ("python",)}


async def main(job: Job) -> list[Part]:
    loop = asyncio.get_running_loop()
    async with job.heart():
        with ProcessPoolExecutor(max_workers=1) as pool:
            return await loop.run_in_executor(pool, job.work.compute)


def run(job: Job) -> list[Part]:
    return asyncio.run(main(job))
