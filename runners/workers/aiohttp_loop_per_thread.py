"""aiohttp on an event loop in each of two threads, which accept from one listener."""

import asyncio
import socket
from threading import Barrier, Thread

from runners.workers._aiohttp import serve_forever
from runners.workers.workload import Job

NAME = "aiohttp, a loop in each of 2 threads"
FAMILY = "aiohttp"
AT_ONCE = "requests"
ONLY = {"size": ("500 requests/s",)}


def serve(job: Job) -> None:
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    all_started = Barrier(job.workers, action=lambda: job.ready(listener.getsockname()[1]))

    def run_loop() -> None:
        asyncio.run(serve_forever(job, listener.dup(), all_started.wait))

    threads = [Thread(target=run_loop) for _ in range(job.workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
