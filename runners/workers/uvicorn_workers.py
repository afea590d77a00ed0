"""uvicorn: two processes, which a parent process spawns, each with an asyncio event loop."""

import os
import socket

from uvicorn import Config
from uvicorn.supervisors import Multiprocess

from runners.workers import _startup
from runners.workers.workload import Job

NAME = "uvicorn, 2 workers"
FAMILY = "asyncio"
AT_ONCE = "requests"
ONLY = {"size": ("500 requests/s",)}


def serve(job: Job) -> None:
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    os.environ.update(WAIT_S=str(job.wait_s), TURNS=str(job.turns))
    _startup.when_started(job.workers, lambda: job.ready(listener.getsockname()[1]))
    config = Config(
        "runners.workers._asgi:app",
        workers=job.workers,
        loop="asyncio",
        http="h11",
        backlog=512,
        log_level="critical",
        access_log=False,
    )
    Multiprocess(config, sockets=[listener]).run()
