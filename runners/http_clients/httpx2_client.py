"""httpx2, the successor of httpx: one client for all gets. It has the default limits of httpx."""

import asyncio
from time import perf_counter_ns

import httpx2

from runners.http_clients.workload import Got, Job, span_since

NAME = "httpx2"
FAMILY = "asyncio"
REQUIRES_PYTHON = "3.11"
AT_ONCE = "gets"


async def get(client: httpx2.AsyncClient, url: str, limit: asyncio.Semaphore) -> Got:
    async with limit:
        started = perf_counter_ns()
        response = await client.get(url)
        return Got(url, response.content, span_since(started))


async def main(job: Job) -> list[Got]:
    limit = asyncio.Semaphore(job.at_once)
    async with httpx2.AsyncClient(timeout=30) as client:  # the default, 5 s, is short for 100 at once on a slow machine
        return await asyncio.gather(*(get(client, url, limit) for url in job.urls))


def run(job: Job) -> list[Got]:
    return asyncio.run(main(job))
