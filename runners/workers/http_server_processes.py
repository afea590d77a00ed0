"""The standard library's HTTP server in two forked processes, each with a pool of 8 threads."""

import multiprocessing
import socket

from runners.workers import _startup
from runners.workers._http_server import make_server
from runners.workers.workload import Job

NAME = "HTTP server, 2 processes, 8 threads each"
FAMILY = "processes"
AT_ONCE = "threads"
REQUIRES_FORK = True
ONLY = {"size": ("500 requests/s",)}


def work(job: Job, listener: socket.socket) -> None:
    server = make_server(job, listener, job.threads // job.workers)
    _startup.report()
    server.serve_forever()


def serve(job: Job) -> None:
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    _startup.when_started(job.workers, lambda: job.ready(listener.getsockname()[1]))
    fork = multiprocessing.get_context("fork")
    workers = [fork.Process(target=work, args=(job, listener)) for _ in range(job.workers)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
