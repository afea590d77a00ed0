"""One greenlet for each task, in a standard library that gevent has patched."""

from gevent import monkey

monkey.patch_all()

from urllib.request import urlopen  # noqa: E402 - after the patch, as gevent asks for

import gevent  # noqa: E402

from runners.download.workload import Job  # noqa: E402

NAME = "gevent greenlets, one a task"
FAMILY = "gevent"
AT_ONCE = "tasks"


def fetch(url: str) -> bytes:
    with urlopen(url) as page:  # noqa: S310 - the job's addresses are all http
        body: bytes = page.read()
        return body


def fetch_all(urls: tuple[str, ...]) -> list[bytes]:
    return [fetch(url) for url in urls]


def run(job: Job) -> list[list[bytes]]:
    greenlets = [gevent.spawn(fetch_all, urls) for urls in job.tasks]
    gevent.joinall(greenlets, raise_error=True)
    return [greenlet.value for greenlet in greenlets]
