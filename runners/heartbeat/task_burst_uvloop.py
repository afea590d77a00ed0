"""A task for each job, all created at once, on uvloop."""

import asyncio

import uvloop

from runners.heartbeat.workload import Job

NAME = "all tasks at once, on uvloop"
FAMILY = "uvloop"
AT_ONCE = "jobs"
ONLY = {"limit": (0,), "await_s": (0.01,), "size": ("tenth", "quarter")}


async def main(job: Job) -> list[int]:
    heartbeat = asyncio.create_task(job.heartbeat())
    await asyncio.sleep(job.lead_s)
    tasks = [asyncio.create_task(job.work(number)) for number in job.numbers]
    answers = [await task for task in tasks]
    heartbeat.cancel()
    return answers


def run(job: Job) -> list[int]:
    return uvloop.run(main(job))
