"""A thread, where another is made to give up the GIL after half a millisecond, not after 5."""

import asyncio
import sys

from runners.cpu_beside_io.workload import Job, Part

NAME = "thread, switch interval 0.5 ms"
FAMILY = "threads"
AT_ONCE = "beside"
ONLY = {"work": ("python", "c_keeps")}


async def main(job: Job) -> list[Part]:
    async with job.heart():
        return await asyncio.to_thread(job.work.compute)


def run(job: Job) -> list[Part]:
    sys.setswitchinterval(0.0005)
    return asyncio.run(main(job))
