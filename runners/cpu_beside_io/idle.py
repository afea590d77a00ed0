"""Nothing computes: the heart beats alone."""

import asyncio

from runners.cpu_beside_io.workload import Job, Part

NAME = "nothing computes"
FAMILY = "asyncio"
AT_ONCE = "in turn"
ONLY = {"work": ("nothing",)}


async def main(job: Job) -> list[Part]:
    async with job.heart():
        await asyncio.sleep(job.idle_s)
    return []


def run(job: Job) -> list[Part]:
    return asyncio.run(main(job))
