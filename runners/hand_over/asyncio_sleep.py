"""asyncio tasks that let the others go first: the loop takes them in turn, and no token is needed."""

import asyncio

from runners.hand_over.workload import Job

NAME = "asyncio, sleep(0)"
FAMILY = "asyncio"
ONLY = {"tasks": (2,)}


async def take_turns(job: Job, number: int) -> None:
    for _ in job.turns:
        job.take(number)
        await asyncio.sleep(0)


async def main(job: Job) -> None:
    tasks = [asyncio.create_task(take_turns(job, number)) for number in job.tasks]
    for task in tasks:
        await task


def run(job: Job) -> None:
    asyncio.run(main(job))
