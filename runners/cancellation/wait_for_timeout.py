"""wait_for, whose time is over: it cancels the gather within, and that its tasks."""

import asyncio
from contextlib import suppress

from runners.cancellation.workload import Job

NAME = "wait_for, timed out"
FAMILY = "asyncio"
AT_ONCE = "tasks"
ONLY = {"clean_up_s": (0.0,)}


async def main(job: Job) -> None:
    tasks = [asyncio.create_task(job.wait(number)) for number in job.numbers]
    await asyncio.sleep(job.lead_s)
    job.cancels()
    with suppress(asyncio.TimeoutError):
        await asyncio.wait_for(asyncio.gather(*tasks), timeout=0)  # over at once: no timer is in what is measured
    job.goes_on()
    await asyncio.wait(tasks)
    job.all_gone()


def run(job: Job) -> list[int]:
    asyncio.run(main(job))
    return []
