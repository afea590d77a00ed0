"""A task on the loop that computes piece by piece, and lets the others go first after each."""

import asyncio

from runners.cpu_beside_io.workload import Job, Part

NAME = "on the loop, yields each ms"
FAMILY = "asyncio"
AT_ONCE = "in turn"
ONLY = {"work": ("python",)}


async def main(job: Job) -> list[Part]:
    parts = []
    async with job.heart():
        for _ in range(job.work.chunks):
            parts.append(job.work.compute_chunk())
            await asyncio.sleep(0)
    return parts


def run(job: Job) -> list[Part]:
    return asyncio.run(main(job))
