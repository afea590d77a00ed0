"""requests: a pool of threads, each with a session of its own, since sessions are not safe to share."""

import threading
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter_ns

import requests

from runners.http_clients.workload import Got, Job, span_since

NAME = "requests in threads"
FAMILY = "threads"
AT_ONCE = "gets"

local = threading.local()


def get(url: str) -> Got:
    started = perf_counter_ns()
    if not hasattr(local, "session"):
        local.session = requests.Session()
    body = local.session.get(url).content
    return Got(url, body, span_since(started))


def run(job: Job) -> list[Got]:
    with ThreadPoolExecutor(job.at_once) as pool:
        return list(pool.map(get, job.urls))
