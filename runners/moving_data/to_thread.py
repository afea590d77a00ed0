"""asyncio.to_thread: the event loop's own pool of threads, with a copy of the context."""

import asyncio

from runners.moving_data.workload import Job

NAME = "asyncio.to_thread"
FAMILY = "asyncio"
ONLY = {"data": ("an int, from an event loop",)}


async def main(job: Job) -> None:
    await asyncio.to_thread(job.function, None)  # afterwards its thread is there
    for data in job.calls():
        job.answer = await asyncio.to_thread(job.function, data)


def run(job: Job) -> None:
    asyncio.run(main(job))
