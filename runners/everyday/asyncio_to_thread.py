"""asyncio.to_thread for each item: blocking calls in the event loop's own pool of threads."""

import asyncio

from runners.everyday.workload import Answer, Job

NAME = "asyncio.to_thread"
FAMILY = "asyncio"
AT_ONCE = "default executor"
ONLY = {"kind": ("query",)}


async def main(job: Job) -> list[Answer]:
    return await asyncio.gather(*[asyncio.to_thread(job.work, item) for item in job.items])


def run(job: Job) -> list[Answer]:
    return asyncio.run(main(job))
