"""asyncio.to_thread for each number: the event loop's own pool of threads, as many as there are cores, and four."""

import asyncio

from runners.primes.workload import Answer, Job

NAME = "asyncio.to_thread"
FAMILY = "asyncio"
AT_ONCE = "default executor"
ONLY = {"timer": (0,)}


async def main(job: Job) -> list[Answer]:
    calls = [asyncio.to_thread(job.work, number) for number in job.numbers]
    return [await done for done in asyncio.as_completed(calls)]


def run(job: Job) -> list[Answer]:
    return asyncio.run(main(job))
