"""asyncio.wait, whose time is over: it returns what is not done, cancels nothing, and the tasks run on."""

import asyncio

from runners.cancellation.workload import Job

NAME = "asyncio.wait, timed out"
FAMILY = "asyncio"
AT_ONCE = "tasks"
ONLY = {"clean_up_s": (0.0,)}


async def main(job: Job) -> None:
    tasks = [asyncio.create_task(job.wait(number)) for number in job.numbers]
    await asyncio.sleep(job.lead_s)
    job.cancels()
    _, pending = await asyncio.wait(tasks, timeout=0)  # over at once: no timer is in what is measured
    job.goes_on()
    await asyncio.wait(pending)  # nobody has cancelled them: they wait to the end
    job.all_gone()


def run(job: Job) -> list[int]:
    asyncio.run(main(job))
    return []
