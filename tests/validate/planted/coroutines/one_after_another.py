"""Each coroutine is awaited before the next."""

import asyncio

from tests.validate.planted.coroutines.workload import Job

FAMILY = "asyncio"
AT_ONCE = "one"


async def main(job: Job) -> list[int]:
    return [await job.work(number) for number in range(job.coroutines)]


def run(job: Job) -> list[int]:
    return asyncio.run(main(job))
