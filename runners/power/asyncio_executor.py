"""An event loop that hands each power to its own executor: a pool of as many threads as there are cores, and four."""

import asyncio

from runners.power.workload import Answer, Job

NAME = "asyncio with its default executor"
FAMILY = "asyncio"
AT_ONCE = "default executor"


async def main(job: Job) -> list[Answer]:
    loop = asyncio.get_running_loop()
    return await asyncio.gather(*[loop.run_in_executor(None, job.work, number) for number in job.numbers])


def run(job: Job) -> list[Answer]:
    return asyncio.run(main(job))
