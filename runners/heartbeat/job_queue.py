"""A queue that holds one job, and a few worker tasks that take from it."""

import asyncio

from runners.heartbeat.workload import Job

NAME = "job queue with worker tasks"
FAMILY = "asyncio"
AT_ONCE = "limit"
ONLY = {"limit": (1, 4, 16, 50, 64, 200)}


async def worker(job: Job, queue: asyncio.Queue[int], answers: list[int]) -> None:
    while True:
        number = await queue.get()
        answers.append(await job.work(number))
        queue.task_done()


async def main(job: Job) -> list[int]:
    heartbeat = asyncio.create_task(job.heartbeat())
    await asyncio.sleep(job.lead_s)
    queue: asyncio.Queue[int] = asyncio.Queue(maxsize=1)
    answers: list[int] = []
    workers = [asyncio.create_task(worker(job, queue, answers)) for _ in range(job.limit)]
    for number in job.numbers:
        await queue.put(number)
    await queue.join()
    for task in [heartbeat, *workers]:
        task.cancel()
    return answers


def run(job: Job) -> list[int]:
    return asyncio.run(main(job))
