"""A task for each job, all created at once, that works only while it holds a semaphore."""

import asyncio

from runners.heartbeat.workload import Job

NAME = "all tasks at once, with a semaphore"
FAMILY = "asyncio"
AT_ONCE = "limit"
ONLY = {"limit": (1, 4)}


async def guarded(job: Job, semaphore: asyncio.Semaphore, number: int) -> int:
    async with semaphore:
        return await job.work(number)


async def main(job: Job) -> list[int]:
    heartbeat = asyncio.create_task(job.heartbeat())
    await asyncio.sleep(job.lead_s)
    semaphore = asyncio.Semaphore(job.limit)
    tasks = [asyncio.create_task(guarded(job, semaphore, number)) for number in job.numbers]
    answers = [await task for task in tasks]
    heartbeat.cancel()
    return answers


def run(job: Job) -> list[int]:
    return asyncio.run(main(job))
