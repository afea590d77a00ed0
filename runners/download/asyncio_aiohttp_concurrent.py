"""asyncio with aiohttp: one session for each task, all its pages at once."""

import asyncio

from aiohttp import ClientSession

from runners.download.workload import Job

NAME = "aiohttp, all pages at once"
FAMILY = "aiohttp"
AT_ONCE = "pages"
ONLY = {"size": ("published", "100 jobs")}  # 4,000 connections are more than many systems let a process open


async def fetch(session: ClientSession, url: str) -> bytes:
    async with session.get(url) as page:
        return await page.read()


async def fetch_all(urls: tuple[str, ...]) -> list[bytes]:
    async with ClientSession() as session:
        return await asyncio.gather(*(fetch(session, url) for url in urls))


async def main(job: Job) -> list[list[bytes]]:
    return await asyncio.gather(*(fetch_all(urls) for urls in job.tasks))


def run(job: Job) -> list[list[bytes]]:
    return asyncio.run(main(job))
