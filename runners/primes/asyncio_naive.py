"""Coroutines that call the blocking function: asyncio in name only."""

import asyncio

from runners.primes.workload import Answer, Job

NAME = "asyncio alone, nothing awaited"
FAMILY = "asyncio"
AT_ONCE = "one"


async def answer(job: Job, number: int) -> Answer:
    return job.work(number)


async def main(job: Job) -> list[Answer]:
    timer = asyncio.create_task(job.timer())
    await asyncio.sleep(0)
    answers = [await done for done in asyncio.as_completed([answer(job, number) for number in job.numbers])]
    timer.cancel()
    return answers


def run(job: Job) -> list[Answer]:
    return asyncio.run(main(job))
