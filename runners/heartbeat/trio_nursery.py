"""A trio task for each job, all started at once in a nursery."""

import trio

from runners.heartbeat.workload import Job

NAME = "trio nursery, all tasks at once"
FAMILY = "trio"
AT_ONCE = "jobs"
ONLY = {"limit": (0,), "await_s": (0.01,), "size": ("tenth", "quarter")}


async def answer(job: Job, number: int, answers: list[int]) -> None:
    answers.append(await job.work(number, trio.sleep))


async def main(job: Job) -> list[int]:
    answers: list[int] = []
    async with trio.open_nursery() as beating:
        beating.start_soon(job.heartbeat, trio.sleep)
        await trio.sleep(job.lead_s)
        async with trio.open_nursery() as working:
            for number in job.numbers:
                working.start_soon(answer, job, number, answers)
        beating.cancel_scope.cancel()
    return answers


def run(job: Job) -> list[int]:
    return trio.run(main, job)
