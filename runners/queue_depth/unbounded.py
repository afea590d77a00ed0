"""An unbounded queue and a producer that never yields."""

import asyncio

from runners.queue_depth.workload import Item, Job

NAME = "unbounded queue"
FAMILY = "asyncio"


async def produce(job: Job, queue: asyncio.Queue[Item]) -> None:
    for number in range(job.items):
        await queue.put(job.produce(number))


async def consume(job: Job, queue: asyncio.Queue[Item]) -> None:
    for _ in range(job.items):
        item = await queue.get()
        job.consume(item, queue.qsize())


async def main(job: Job) -> None:
    queue: asyncio.Queue[Item] = asyncio.Queue()
    await asyncio.gather(produce(job, queue), consume(job, queue))


def run(job: Job) -> None:
    asyncio.run(main(job))
