"""gather, one of whose tasks fails: whoever waits for it goes on with the error, and the others run on."""

import asyncio
from contextlib import suppress

from runners.cancellation.workload import Job

NAME = "gather, one task fails"
FAMILY = "asyncio"
AT_ONCE = "tasks"
ONLY = {"clean_up_s": (0.0,)}


async def fail(job: Job) -> None:
    await asyncio.sleep(job.lead_s)
    job.cancels()
    raise ValueError


async def main(job: Job) -> None:
    tasks = [asyncio.create_task(job.wait(number)) for number in job.numbers]
    with suppress(ValueError):
        await asyncio.gather(*tasks, fail(job))
    job.goes_on()
    await asyncio.wait(tasks)  # nobody has cancelled them: they wait to the end
    job.all_gone()


def run(job: Job) -> list[int]:
    asyncio.run(main(job))
    return []
