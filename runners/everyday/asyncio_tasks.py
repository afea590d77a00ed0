"""A task for each item: it awaits its wait, and computes on the event loop."""

import asyncio

from runners.everyday.workload import Answer, Job

NAME = "asyncio tasks"
FAMILY = "asyncio"
AT_ONCE = "items"
ONLY = {"kind": ("call", "json", "query")}


async def main(job: Job) -> list[Answer]:
    return await asyncio.gather(*[job.work_async(item) for item in job.items])


def run(job: Job) -> list[Answer]:
    return asyncio.run(main(job))
