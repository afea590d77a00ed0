"""One thread for each task, started at once, without a pool."""

from threading import Thread
from urllib.request import urlopen

from runners.download.workload import Job

NAME = "threads, one a task"
FAMILY = "threads"
AT_ONCE = "tasks"


def fetch(url: str) -> bytes:
    with urlopen(url) as page:  # noqa: S310 - the job's addresses are all http
        body: bytes = page.read()
        return body


def fetch_all(urls: tuple[str, ...], results: list[list[bytes]]) -> None:
    results.append([fetch(url) for url in urls])


def run(job: Job) -> list[list[bytes]]:
    results: list[list[bytes]] = []
    threads = [Thread(target=fetch_all, args=(urls, results)) for urls in job.tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results
