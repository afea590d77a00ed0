"""One loop: one page after another, in one thread."""

from urllib.request import urlopen

from runners.download.workload import Job

NAME = "plain loop"
FAMILY = "sync"
AT_ONCE = "one"
ONLY = {"size": ("published",)}  # n jobs take it n times as long: that needs no measurement


def fetch(url: str) -> bytes:
    with urlopen(url) as page:  # noqa: S310 - the job's addresses are all http
        body: bytes = page.read()
        return body


def run(job: Job) -> list[list[bytes]]:
    return [[fetch(url) for url in urls] for urls in job.tasks]
