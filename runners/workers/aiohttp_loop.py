"""aiohttp on one event loop, which waits for many requests at once and computes for one."""

import asyncio
import socket

from runners.workers._aiohttp import serve_forever
from runners.workers.workload import Job

NAME = "aiohttp, 1 loop"
FAMILY = "aiohttp"
AT_ONCE = "requests"
ONLY = {"size": ("500 requests/s", "250 requests/s")}


def serve(job: Job) -> None:
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    port = listener.getsockname()[1]
    asyncio.run(serve_forever(job, listener, lambda: job.ready(port)))
