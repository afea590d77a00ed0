"""Plain nested awaits, one child after another: no task, no gather, only the calls."""

import asyncio

from runners.gather_tree.workload import Job

NAME = "plain nested awaits"
FAMILY = "asyncio"
ONLY = {"leaf": ("none",)}


async def tree(job: Job, level: int) -> int:
    if level == 0:
        return await job.leaf()
    return sum([await tree(job, level - 1) for _ in range(job.branches)])


def run(job: Job) -> int:
    return asyncio.run(tree(job, job.depth))
