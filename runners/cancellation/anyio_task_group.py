"""An anyio task group on asyncio whose scope is cancelled; it waits until its tasks are gone."""

import anyio

from runners.cancellation.workload import Job

NAME = "anyio task group, cancelled"
FAMILY = "asyncio"
AT_ONCE = "tasks"
ONLY = {"clean_up_s": (0.0,)}


async def shielded(duration_s: float) -> None:
    with anyio.CancelScope(shield=True):  # in a cancelled scope every other wait ends at once
        await anyio.sleep(duration_s)


async def main(job: Job) -> None:
    async with anyio.create_task_group() as group:
        for number in job.numbers:
            group.start_soon(job.wait, number, anyio.sleep, shielded)
        await anyio.sleep(job.lead_s)
        job.cancels()
        group.cancel_scope.cancel()
    job.goes_on()
    job.all_gone()


def run(job: Job) -> list[int]:
    anyio.run(main, job)
    return []
