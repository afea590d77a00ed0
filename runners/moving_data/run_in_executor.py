"""loop.run_in_executor: the same pool of threads, without a copy of the context."""

import asyncio

from runners.moving_data.workload import Job

NAME = "run_in_executor"
FAMILY = "asyncio"
ONLY = {"data": ("an int, from an event loop",)}


async def main(job: Job) -> None:
    loop = asyncio.get_running_loop()
    await loop.run_in_executor(None, job.function, None)  # afterwards its thread is there
    for data in job.calls():
        job.answer = await loop.run_in_executor(None, job.function, data)


def run(job: Job) -> None:
    asyncio.run(main(job))
