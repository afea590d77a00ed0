"""One process for each task, as published but for urllib's opener: it handles http alone, and so prepares no TLS.

`urlopen` makes an opener for http, https, ftp and files, for which Python reads the certificates for TLS since 3.12,
whether or not a page needs them: once in each process, inside the clock. An opener of HTTPHandler alone does not.
"""

from multiprocessing import Process, SimpleQueue
from urllib.request import HTTPHandler, OpenerDirector

from runners.download.workload import Job

NAME = "processes, opener without TLS"
FAMILY = "processes"
AT_ONCE = "tasks"
ONLY = {"size": ("published",), "tail": (0,)}


def plain_opener() -> OpenerDirector:
    opener = OpenerDirector()
    opener.add_handler(HTTPHandler())
    return opener


def fetch_all(urls: tuple[str, ...], results: "SimpleQueue[list[bytes]]") -> None:
    opener = plain_opener()
    pages = []
    for url in urls:
        with opener.open(url) as page:
            pages.append(page.read())
    results.put(pages)


def run(job: Job) -> list[list[bytes]]:
    results: SimpleQueue[list[bytes]] = SimpleQueue()
    processes = [Process(target=fetch_all, args=(urls, results)) for urls in job.tasks]
    for process in processes:
        process.start()
    pages = [results.get() for _ in processes]
    for process in processes:
        process.join()
    return pages
