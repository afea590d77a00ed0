"""A tree of gathers over eager tasks, children already done counted at once: gather after the change."""

import asyncio

from runners.gather_tree._twin_gather import gather_after as gather
from runners.gather_tree.workload import Job

NAME = "new gather, eager tasks"
FAMILY = "asyncio"
REQUIRES_PYTHON = "3.12"


async def tree(job: Job, level: int) -> int:
    if level == 0:
        return await job.leaf()
    return sum(await gather(*[tree(job, level - 1) for _ in range(job.branches)]))


async def main(job: Job) -> int:
    asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)  # type: ignore[attr-defined]  # new in 3.12
    return await tree(job, job.depth)


def run(job: Job) -> int:
    return asyncio.run(main(job))
