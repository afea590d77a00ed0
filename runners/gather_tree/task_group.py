"""A tree of task groups."""

import asyncio

from runners.gather_tree.workload import Job

NAME = "TaskGroup"
FAMILY = "asyncio"
REQUIRES_PYTHON = "3.11"


async def tree(job: Job, level: int) -> int:
    if level == 0:
        return await job.leaf()
    async with asyncio.TaskGroup() as group:
        children = [group.create_task(tree(job, level - 1)) for _ in range(job.branches)]
    return sum(child.result() for child in children)


async def main(job: Job) -> int:
    return await tree(job, job.depth)


def run(job: Job) -> int:
    return asyncio.run(main(job))
