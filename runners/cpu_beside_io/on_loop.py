"""A task on the loop that computes all in one go."""

import asyncio

from runners.cpu_beside_io.workload import Job, Part

NAME = "on the loop, in one go"
FAMILY = "asyncio"
AT_ONCE = "in turn"
ONLY = {"work": ("python",)}


async def main(job: Job) -> list[Part]:
    async with job.heart():
        return job.work.compute()


def run(job: Job) -> list[Part]:
    return asyncio.run(main(job))
