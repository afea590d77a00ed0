"""gather, cancelled as a whole: it cancels each of its tasks."""

import asyncio
from contextlib import suppress

from runners.cancellation.workload import Job

NAME = "gather, cancelled"
FAMILY = "asyncio"
AT_ONCE = "tasks"


async def main(job: Job) -> None:
    tasks = [asyncio.create_task(job.wait(number)) for number in job.numbers]
    gathering = asyncio.gather(*tasks)
    await asyncio.sleep(job.lead_s)
    job.cancels()
    gathering.cancel()
    with suppress(asyncio.CancelledError):
        await gathering
    job.goes_on()
    await asyncio.wait(tasks)
    job.all_gone()


def run(job: Job) -> list[int]:
    asyncio.run(main(job))
    return []
