"""asyncio.to_thread for each task: urlopen in the event loop's own pool of threads, as many as cores, and four."""

import asyncio
from urllib.request import urlopen

from runners.download.workload import Job

NAME = "asyncio.to_thread, one call a task"
FAMILY = "asyncio"
ONLY = {
    "size": ("published",),
    "tail": (0,),
}  # its pool is too small for a hundred jobs: they would queue
AT_ONCE = "default executor"


def fetch(url: str) -> bytes:
    with urlopen(url) as page:  # noqa: S310 - the job's addresses are all http
        body: bytes = page.read()
        return body


def fetch_all(urls: tuple[str, ...]) -> list[bytes]:
    return [fetch(url) for url in urls]


async def main(job: Job) -> list[list[bytes]]:
    return await asyncio.gather(*(asyncio.to_thread(fetch_all, urls) for urls in job.tasks))


def run(job: Job) -> list[list[bytes]]:
    return asyncio.run(main(job))
