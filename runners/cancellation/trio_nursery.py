"""A trio nursery whose scope is cancelled; it waits until its tasks are gone."""

import trio

from runners.cancellation.workload import Job

NAME = "trio nursery, cancelled"
FAMILY = "trio"
AT_ONCE = "tasks"


async def shielded(duration_s: float) -> None:
    with trio.CancelScope(shield=True):  # in a cancelled scope every other wait ends at once
        await trio.sleep(duration_s)


async def main(job: Job) -> None:
    async with trio.open_nursery() as nursery:
        for number in job.numbers:
            nursery.start_soon(job.wait, number, trio.sleep, shielded)
        await trio.sleep(job.lead_s)
        job.cancels()
        nursery.cancel_scope.cancel()
    job.goes_on()
    job.all_gone()


def run(job: Job) -> list[int]:
    trio.run(main, job)
    return []
