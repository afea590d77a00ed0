"""A task for each item: it awaits its wait, and hands the computing to a pool of processes."""

import asyncio
from concurrent.futures import ProcessPoolExecutor

from runners.everyday.workload import Answer, Item, Job

NAME = "asyncio with a process pool"
FAMILY = "asyncio"
AT_ONCE = "items"
ONLY = {"kind": ("json",)}


async def main(job: Job) -> list[Answer]:
    loop = asyncio.get_running_loop()
    with ProcessPoolExecutor(max_workers=job.cores) as pool:

        async def compute(item: Item) -> int:
            return await loop.run_in_executor(pool, job.compute, item)

        return await asyncio.gather(*[job.work_async(item, compute) for item in job.items])


def run(job: Job) -> list[Answer]:
    return asyncio.run(main(job))
