"""An asyncio task for each, all of which wait for one event."""

import asyncio

from runners.idle_tasks.workload import Job

NAME = "asyncio tasks"
FAMILY = "asyncio"
AT_ONCE = "tasks"


async def wait(job: Job, number: int, release: asyncio.Event) -> None:
    job.arrive(number)
    await release.wait()
    job.leave(number)


async def main(job: Job) -> None:
    release = asyncio.Event()
    tasks = [asyncio.create_task(wait(job, number, release)) for number in job.numbers]
    await asyncio.sleep(0)  # before this one goes on, each of the others has come to where it waits
    job.look()
    release.set()
    for task in tasks:
        await task


def run(job: Job) -> None:
    job.begin()
    asyncio.run(main(job))
    job.end()
