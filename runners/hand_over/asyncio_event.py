"""asyncio tasks, each with an event of its own that says that the token is there."""

import asyncio

from runners.hand_over.workload import Job

NAME = "asyncio events"
FAMILY = "asyncio"
ONLY = {"tasks": (2,)}


async def hand_on(job: Job, number: int, mine: asyncio.Event, next_one: asyncio.Event) -> None:
    for _ in job.turns:
        await mine.wait()
        mine.clear()
        job.take(number)
        next_one.set()


async def main(job: Job) -> None:
    events = [asyncio.Event() for _ in job.tasks]
    tasks = [
        asyncio.create_task(hand_on(job, number, events[number], events[job.after(number)])) for number in job.tasks
    ]
    events[0].set()
    for task in tasks:
        await task


def run(job: Job) -> None:
    asyncio.run(main(job))
