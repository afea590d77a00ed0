"""sync_to_async of asgiref, which Django uses, on an event loop that is running."""

import asyncio

from asgiref.sync import sync_to_async

from runners.moving_data.workload import Job

NAME = "asgiref, sync_to_async"
FAMILY = "asyncio"
ONLY = {"data": ("an int, from an event loop",)}


async def main(job: Job) -> None:
    await sync_to_async(job.function)(None)  # afterwards its thread is there
    for data in job.calls():
        job.answer = await sync_to_async(job.function)(data)


def run(job: Job) -> None:
    asyncio.run(main(job))
