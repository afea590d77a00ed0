"""One process for each task, started at once, without a pool."""

from multiprocessing import Process, SimpleQueue
from urllib.request import urlopen

from runners.download.workload import Job

NAME = "processes, one a task"
FAMILY = "processes"
AT_ONCE = "tasks"
ONLY = {"size": ("published",)}  # a thousand processes need more memory than most machines have


def fetch(url: str) -> bytes:
    with urlopen(url) as page:  # noqa: S310 - the job's addresses are all http
        body: bytes = page.read()
        return body


def fetch_all(urls: tuple[str, ...], results: "SimpleQueue[list[bytes]]") -> None:
    results.put([fetch(url) for url in urls])


def run(job: Job) -> list[list[bytes]]:
    results: SimpleQueue[list[bytes]] = SimpleQueue()
    processes = [Process(target=fetch_all, args=(urls, results)) for urls in job.tasks]
    for process in processes:
        process.start()
    pages = [results.get() for _ in processes]
    for process in processes:
        process.join()
    return pages
