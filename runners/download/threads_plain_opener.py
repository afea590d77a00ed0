"""One thread for each task, as published but for urllib's opener: it handles http alone, and so prepares no TLS.

`urlopen` makes an opener for http, https, ftp and files, for which Python reads the certificates for TLS since 3.12,
whether or not a page needs them. An opener of HTTPHandler alone does the same work for these pages, without that.
"""

from threading import Thread
from urllib.request import HTTPHandler, OpenerDirector

from runners.download.workload import Job

NAME = "threads, opener without TLS"
FAMILY = "threads"
AT_ONCE = "tasks"
ONLY = {"size": ("published",), "tail": (0,)}


def plain_opener() -> OpenerDirector:
    opener = OpenerDirector()
    opener.add_handler(HTTPHandler())
    return opener


def fetch_all(opener: OpenerDirector, urls: tuple[str, ...], results: list[list[bytes]]) -> None:
    pages = []
    for url in urls:
        with opener.open(url) as page:
            pages.append(page.read())
    results.append(pages)


def run(job: Job) -> list[list[bytes]]:
    results: list[list[bytes]] = []
    opener = plain_opener()
    threads = [Thread(target=fetch_all, args=(opener, urls, results)) for urls in job.tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results
