"""One anyio task, on asyncio, for each task; each page over a stream of its own, with no more of HTTP than it needs."""

from urllib.parse import urlsplit

import anyio

from runners.download.workload import Job

NAME = "anyio task group, plain streams"
FAMILY = "asyncio"
ONLY = {"size": ("published",), "tail": (0,)}
AT_ONCE = "tasks"


async def fetch(url: str) -> bytes:
    site = urlsplit(url)
    async with await anyio.connect_tcp(site.hostname or "", site.port or 80) as stream:
        await stream.send(f"GET {site.path} HTTP/1.1\r\nHost: {site.netloc}\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join([part async for part in stream])
    return answer.partition(b"\r\n\r\n")[2]  # a handicap for the others: they read the headers, and check them


async def fetch_all(urls: tuple[str, ...], results: list[list[bytes]]) -> None:
    results.append([await fetch(url) for url in urls])


async def main(job: Job) -> list[list[bytes]]:
    results: list[list[bytes]] = []
    async with anyio.create_task_group() as group:
        for urls in job.tasks:
            group.start_soon(fetch_all, urls, results)
    return results


def run(job: Job) -> list[list[bytes]]:
    return anyio.run(main, job)
