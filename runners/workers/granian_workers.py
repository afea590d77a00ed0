"""Granian: a server in Rust with two workers, processes with a GIL and threads without, each with an event loop."""

import os
import socket

from granian import Granian
from granian.constants import Interfaces, Loops

from runners.workers import _startup
from runners.workers.workload import Job

NAME = "Granian, 2 workers"
FAMILY = "asyncio"
AT_ONCE = "requests"
REQUIRES_FORK = True  # on Windows, which has none, Granian allows only one worker
ONLY = {"size": ("500 requests/s",)}


def serve(job: Job) -> None:
    # Each worker binds a socket of its own to the port, which this one keeps free for them.
    reserved = socket.socket()
    reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    reserved.bind(("127.0.0.1", 0))
    port = reserved.getsockname()[1]
    os.environ.update(WAIT_S=str(job.wait_s), TURNS=str(job.turns))
    _startup.when_started(job.workers, lambda: job.ready(port))
    Granian(
        "runners.workers._asgi:app",
        port=port,
        interface=Interfaces.ASGI,
        workers=job.workers,
        loop=Loops.asyncio,
        backlog=512,
        log_enabled=False,
    ).serve()
