"""asyncio.to_thread for each power: the event loop's own pool of threads, as many as there are cores, and four."""

import asyncio

from runners.power.workload import Answer, Job

NAME = "asyncio.to_thread"
FAMILY = "asyncio"
AT_ONCE = "default executor"


async def main(job: Job) -> list[Answer]:
    return await asyncio.gather(*[asyncio.to_thread(job.work, number) for number in job.numbers])


def run(job: Job) -> list[Answer]:
    return asyncio.run(main(job))
