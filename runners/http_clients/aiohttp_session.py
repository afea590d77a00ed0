"""aiohttp: one session for all gets. Its default limit is 100 connections, which it keeps."""

import asyncio
from time import perf_counter_ns

from aiohttp import ClientSession

from runners.http_clients.workload import Got, Job, span_since

NAME = "aiohttp"
FAMILY = "aiohttp"
AT_ONCE = "gets"


async def get(session: ClientSession, url: str, limit: asyncio.Semaphore) -> Got:
    async with limit:
        started = perf_counter_ns()
        async with session.get(url) as response:
            body = await response.read()
        return Got(url, body, span_since(started))


async def main(job: Job) -> list[Got]:
    limit = asyncio.Semaphore(job.at_once)
    async with ClientSession() as session:
        return await asyncio.gather(*(get(session, url, limit) for url in job.urls))


def run(job: Job) -> list[Got]:
    return asyncio.run(main(job))
