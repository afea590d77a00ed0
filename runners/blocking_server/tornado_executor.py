"""Tornado with blocking steps that each run in a pool of threads, one thread for each request at once."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor

from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler

from runners.blocking_server.workload import Job

NAME = "Tornado with a thread pool"
FAMILY = "tornado"
AT_ONCE = "requests"


async def main(job: Job) -> None:
    loop = asyncio.get_running_loop()
    executor = ThreadPoolExecutor(max_workers=job.at_once)

    class Handler(RequestHandler):
        async def get(self) -> None:
            for seconds in job.steps_s:
                await loop.run_in_executor(executor, time.sleep, seconds)

    sockets = bind_sockets(0, "127.0.0.1")
    HTTPServer(Application([("/", Handler)])).add_sockets(sockets)
    job.ready(sockets[0].getsockname()[1])
    await asyncio.Event().wait()


def serve(job: Job) -> None:
    asyncio.run(main(job))
