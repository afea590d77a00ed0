"""asyncio tasks on uvloop, each with a queue of its own in which the token comes."""

import asyncio

import uvloop

from runners.hand_over.workload import Job

NAME = "asyncio queues, on uvloop"
FAMILY = "uvloop"


async def hand_on(job: Job, number: int, inbox: "asyncio.Queue[str]", outbox: "asyncio.Queue[str]") -> None:
    for _ in job.turns:
        token = await inbox.get()
        job.take(number)
        await outbox.put(token)


async def main(job: Job) -> None:
    queues: list[asyncio.Queue[str]] = [asyncio.Queue() for _ in job.tasks]
    tasks = [
        asyncio.create_task(hand_on(job, number, queues[number], queues[job.after(number)])) for number in job.tasks
    ]
    await queues[0].put("token")
    for task in tasks:
        await task


def run(job: Job) -> None:
    uvloop.run(main(job))
