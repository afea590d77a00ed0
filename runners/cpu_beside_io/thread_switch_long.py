"""A thread, where another is made to give up the GIL after 50 milliseconds only, not after 5."""

import asyncio
import sys

from runners.cpu_beside_io.workload import Job, Part

NAME = "thread, switch interval 50 ms"
FAMILY = "threads"
AT_ONCE = "beside"
ONLY = {"work": ("python",)}


async def main(job: Job) -> list[Part]:
    async with job.heart():
        return await asyncio.to_thread(job.work.compute)


def run(job: Job) -> list[Part]:
    sys.setswitchinterval(0.05)
    return asyncio.run(main(job))
