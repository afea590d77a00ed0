"""A process of a pool that was started before, as a server keeps one."""

import asyncio
from concurrent.futures import ProcessPoolExecutor

from runners.cpu_beside_io.workload import Job, Part

NAME = "process, started before"
FAMILY = "processes"
AT_ONCE = "beside"
ONLY = {"work": ("python", "c_keeps", "c_frees")}


async def main(job: Job) -> list[Part]:
    loop = asyncio.get_running_loop()
    with ProcessPoolExecutor(max_workers=1) as pool:
        await loop.run_in_executor(pool, int)  # a call that does nothing: after it the process is there
        async with job.heart():
            return await loop.run_in_executor(pool, job.work.compute)


def run(job: Job) -> list[Part]:
    return asyncio.run(main(job))
