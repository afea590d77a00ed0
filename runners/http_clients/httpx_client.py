"""httpx: one client for all gets. Its default limits are 100 connections, of which it keeps 20 when idle."""

import asyncio
from time import perf_counter_ns

import httpx

from runners.http_clients.workload import Got, Job, span_since

NAME = "httpx"
FAMILY = "asyncio"
AT_ONCE = "gets"


async def get(client: httpx.AsyncClient, url: str, limit: asyncio.Semaphore) -> Got:
    async with limit:
        started = perf_counter_ns()
        response = await client.get(url)
        return Got(url, response.content, span_since(started))


async def main(job: Job) -> list[Got]:
    limit = asyncio.Semaphore(job.at_once)
    async with httpx.AsyncClient(timeout=30) as client:  # its default, 5 s, is short for 100 at once on a slow machine
        return await asyncio.gather(*(get(client, url, limit) for url in job.urls))


def run(job: Job) -> list[Got]:
    return asyncio.run(main(job))
