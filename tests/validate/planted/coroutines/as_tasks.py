"""All coroutines as tasks, gathered."""

import asyncio

from tests.validate.planted.coroutines.workload import Job

FAMILY = "asyncio"
AT_ONCE = "coroutines"


async def main(job: Job) -> list[int]:
    return await asyncio.gather(*[job.work(number) for number in range(job.coroutines)])


def run(job: Job) -> list[int]:
    return asyncio.run(main(job))
