"""A thread of the loop's own pool, by asyncio.to_thread."""

import asyncio

from runners.cpu_beside_io.workload import Job, Part

NAME = "thread"
FAMILY = "threads"
AT_ONCE = "beside"
ONLY = {"work": ("python", "c_keeps", "c_frees")}


async def main(job: Job) -> list[Part]:
    async with job.heart():
        return await asyncio.to_thread(job.work.compute)


def run(job: Job) -> list[Part]:
    return asyncio.run(main(job))
