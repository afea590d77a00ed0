"""Tornado as published: the steps return futures, yet block inside the coroutine handler."""

import asyncio
import time

from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler

from runners.blocking_server.workload import Job

NAME = "Tornado, blocking handler"
FAMILY = "tornado"
AT_ONCE = "one"
ONLY = {"size": ("tenth",)}


def step(seconds: float) -> "asyncio.Future[None]":
    time.sleep(seconds)
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    done.set_result(None)
    return done


async def main(job: Job) -> None:
    class Handler(RequestHandler):
        async def get(self) -> None:
            for seconds in job.steps_s:
                await step(seconds)

    sockets = bind_sockets(0, "127.0.0.1")
    HTTPServer(Application([("/", Handler)])).add_sockets(sockets)
    job.ready(sockets[0].getsockname()[1])
    await asyncio.Event().wait()


def serve(job: Job) -> None:
    asyncio.run(main(job))
