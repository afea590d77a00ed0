"""An unbounded queue, a producer that awaits sleep(0) after each put, a consumer that does so twice after each get."""

import asyncio

from runners.queue_depth.workload import Item, Job

NAME = "unbounded, consumer yields twice"
FAMILY = "asyncio"


async def produce(job: Job, queue: asyncio.Queue[Item]) -> None:
    for number in range(job.items):
        await queue.put(job.produce(number))
        await asyncio.sleep(0)


async def consume(job: Job, queue: asyncio.Queue[Item]) -> None:
    for _ in range(job.items):
        item = await queue.get()
        job.consume(item, queue.qsize())
        await asyncio.sleep(0)
        await asyncio.sleep(0)


async def main(job: Job) -> None:
    queue: asyncio.Queue[Item] = asyncio.Queue()
    await asyncio.gather(produce(job, queue), consume(job, queue))


def run(job: Job) -> None:
    asyncio.run(main(job))
