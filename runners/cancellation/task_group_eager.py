"""A task group of eager tasks, one of which fails: it cancels the others and waits until they are gone."""

import asyncio
from contextlib import suppress

from runners.cancellation.workload import Job

NAME = "TaskGroup of eager tasks, one fails"
FAMILY = "asyncio"
AT_ONCE = "tasks"
ONLY = {"clean_up_s": (0.0,)}
REQUIRES_PYTHON = "3.12"


async def fail(job: Job) -> None:
    await asyncio.sleep(job.lead_s)
    job.cancels()
    raise ValueError


async def main(job: Job) -> None:
    asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)  # type: ignore[attr-defined]  # new in 3.12
    with suppress(ExceptionGroup):  # noqa: F821 - built in since Python 3.11
        async with asyncio.TaskGroup() as group:
            for number in job.numbers:
                group.create_task(job.wait(number))
            group.create_task(fail(job))
    job.goes_on()
    job.all_gone()


def run(job: Job) -> list[int]:
    asyncio.run(main(job))
    return []
