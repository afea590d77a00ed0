"""http.client, which urllib uses too: a pool of threads, each of which keeps one connection."""

import threading
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from time import perf_counter_ns
from urllib.parse import urlsplit

from runners.http_clients.workload import Got, Job, span_since

NAME = "http.client in threads"
FAMILY = "threads"
AT_ONCE = "gets"

local = threading.local()


def get(url: str) -> Got:
    started = perf_counter_ns()
    site = urlsplit(url)
    if not hasattr(local, "connection"):
        local.connection = HTTPConnection(site.netloc)
    local.connection.request("GET", site.path)
    body = local.connection.getresponse().read()
    return Got(url, body, span_since(started))


def run(job: Job) -> list[Got]:
    with ThreadPoolExecutor(job.at_once) as pool:
        return list(pool.map(get, job.urls))
