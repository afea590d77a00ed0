"""An anyio task for each job, all started at once in a task group, on asyncio."""

import anyio

from runners.heartbeat.workload import Job

NAME = "anyio task group, all tasks at once"
FAMILY = "asyncio"
AT_ONCE = "jobs"
ONLY = {"limit": (0,), "await_s": (0.01,), "size": ("tenth", "quarter")}


async def answer(job: Job, number: int, answers: list[int]) -> None:
    answers.append(await job.work(number, anyio.sleep))


async def main(job: Job) -> list[int]:
    answers: list[int] = []
    async with anyio.create_task_group() as beating:
        beating.start_soon(job.heartbeat, anyio.sleep)
        await anyio.sleep(job.lead_s)
        async with anyio.create_task_group() as working:
            for number in job.numbers:
                working.start_soon(answer, job, number, answers)
        beating.cancel_scope.cancel()
    return answers


def run(job: Job) -> list[int]:
    return anyio.run(main, job)
