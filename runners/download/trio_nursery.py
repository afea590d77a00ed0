"""One trio task for each task; each page over a stream of its own, with as much of HTTP as it needs and no more."""

from urllib.parse import urlsplit

import trio

from runners.download.workload import Job

NAME = "trio nursery, plain streams"
FAMILY = "trio"
ONLY = {"size": ("published",), "tail": (0,)}
AT_ONCE = "tasks"


async def fetch(url: str) -> bytes:
    site = urlsplit(url)
    async with await trio.open_tcp_stream(site.hostname or "", site.port or 80) as stream:
        await stream.send_all(f"GET {site.path} HTTP/1.1\r\nHost: {site.netloc}\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join([part async for part in stream])
    return answer.partition(b"\r\n\r\n")[2]  # a handicap for the others: they read the headers, and check them


async def fetch_all(urls: tuple[str, ...], results: list[list[bytes]]) -> None:
    results.append([await fetch(url) for url in urls])


async def main(job: Job) -> list[list[bytes]]:
    results: list[list[bytes]] = []
    async with trio.open_nursery() as nursery:
        for urls in job.tasks:
            nursery.start_soon(fetch_all, urls, results)
    return results


def run(job: Job) -> list[list[bytes]]:
    return trio.run(main, job)
