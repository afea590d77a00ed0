"""The heartbeat alone: how late an event loop wakes that has nothing else to do."""

import asyncio

from runners.heartbeat.workload import Job

NAME = "heartbeat alone"
FAMILY = "asyncio"
ONLY = {"jobs": (0,)}


async def main(job: Job) -> list[int]:
    heartbeat = asyncio.create_task(job.heartbeat())
    await asyncio.sleep(job.idle_s)
    heartbeat.cancel()
    return []


def run(job: Job) -> list[int]:
    return asyncio.run(main(job))
