"""Uses a loop, its own pool, and one that the library imports only on use."""

import asyncio
from concurrent.futures import ProcessPoolExecutor

from tests.harness.faulty.misbehaving.workload import Answer, Job


async def main(job: Job) -> list[Answer]:
    loop = asyncio.get_running_loop()
    with ProcessPoolExecutor(max_workers=2) as pool:
        first = await loop.run_in_executor(pool, job.work, 1)
    return [first, await asyncio.to_thread(job.work, 2)]


def run(job: Job) -> list[Answer]:
    return asyncio.run(main(job))
