"""A trio task for each, all of which wait for one event."""

import trio

from runners.idle_tasks.workload import Job

NAME = "trio tasks"
FAMILY = "trio"
AT_ONCE = "tasks"
ONLY = {"tasks": (10_000,)}


async def wait(job: Job, number: int, release: trio.Event) -> None:
    job.arrive(number)
    await release.wait()
    job.leave(number)


async def main(job: Job) -> None:
    release = trio.Event()
    async with trio.open_nursery() as nursery:
        for number in job.numbers:
            nursery.start_soon(wait, job, number, release)
        while not job.all_wait():
            await trio.lowlevel.checkpoint()
        job.look()
        release.set()


def run(job: Job) -> None:
    job.begin()
    trio.run(main, job)
    job.end()
