"""aiohttp on uvloop: one session for each task, its pages one after another."""

import asyncio

import uvloop
from aiohttp import ClientSession

from runners.download.workload import Job

NAME = "aiohttp on uvloop, pages one by one"
FAMILY = "uvloop"
ONLY = {"size": ("published",), "tail": (0,)}
AT_ONCE = "tasks"


async def fetch(session: ClientSession, url: str) -> bytes:
    async with session.get(url) as page:
        return await page.read()


async def fetch_all(urls: tuple[str, ...]) -> list[bytes]:
    async with ClientSession() as session:
        return [await fetch(session, url) for url in urls]


async def main(job: Job) -> list[list[bytes]]:
    return await asyncio.gather(*(fetch_all(urls) for urls in job.tasks))


def run(job: Job) -> list[list[bytes]]:
    return uvloop.run(main(job))
