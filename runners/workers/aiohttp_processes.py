"""aiohttp in two forked processes, each with an event loop, which accept from one listener."""

import asyncio
import multiprocessing
import socket

from runners.workers import _startup
from runners.workers._aiohttp import serve_forever
from runners.workers.workload import Job

NAME = "aiohttp, 2 processes"
FAMILY = "processes"
AT_ONCE = "requests"
REQUIRES_FORK = True
ONLY = {"size": ("500 requests/s", "no wait")}


def work(job: Job, listener: socket.socket) -> None:
    asyncio.run(serve_forever(job, listener, _startup.report))


def serve(job: Job) -> None:
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    _startup.when_started(job.workers, lambda: job.ready(listener.getsockname()[1]))
    fork = multiprocessing.get_context("fork")
    workers = [fork.Process(target=work, args=(job, listener)) for _ in range(job.workers)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
