"""The standard library's HTTP server with a pool of 16 threads."""

import socket

from runners.workers._http_server import make_server
from runners.workers.workload import Job

NAME = "HTTP server, 16 threads"
FAMILY = "threads"
AT_ONCE = "threads"


def serve(job: Job) -> None:
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    server = make_server(job, listener, job.threads)
    job.ready(listener.getsockname()[1])
    server.serve_forever()
