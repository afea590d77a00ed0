"""An event loop that hands each number to a pool of processes and stays free meanwhile."""

import asyncio
from concurrent.futures import ProcessPoolExecutor

from runners.primes.workload import Answer, Job

NAME = "asyncio with a process pool"
FAMILY = "asyncio"
AT_ONCE = "workers"


async def main(job: Job) -> list[Answer]:
    timer = asyncio.create_task(job.timer())
    loop = asyncio.get_running_loop()
    with ProcessPoolExecutor(max_workers=job.workers) as pool:
        futures = [loop.run_in_executor(pool, job.work, number) for number in job.numbers]
        answers = [await done for done in asyncio.as_completed(futures)]
        timer.cancel()
    return answers


def run(job: Job) -> list[Answer]:
    return asyncio.run(main(job))
