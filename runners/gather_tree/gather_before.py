"""A tree of gathers, every child counted by a callback on the loop: gather before the change."""

import asyncio

from runners.gather_tree._twin_gather import gather_before as gather
from runners.gather_tree.workload import Job

NAME = "old gather"
FAMILY = "asyncio"


async def tree(job: Job, level: int) -> int:
    if level == 0:
        return await job.leaf()
    return sum(await gather(*[tree(job, level - 1) for _ in range(job.branches)]))


async def main(job: Job) -> int:
    return await tree(job, job.depth)


def run(job: Job) -> int:
    return asyncio.run(main(job))
