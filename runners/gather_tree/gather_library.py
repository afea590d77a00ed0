"""A tree of gathers, the standard library's own."""

import asyncio

from runners.gather_tree.workload import Job

NAME = "asyncio.gather"
FAMILY = "asyncio"


async def tree(job: Job, level: int) -> int:
    if level == 0:
        return await job.leaf()
    return sum(await asyncio.gather(*[tree(job, level - 1) for _ in range(job.branches)]))


async def main(job: Job) -> int:
    return await tree(job, job.depth)


def run(job: Job) -> int:
    return asyncio.run(main(job))
