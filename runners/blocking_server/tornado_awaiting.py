"""Tornado as it is meant: each step awaits, and the event loop works on other requests meanwhile."""

import asyncio

from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler

from runners.blocking_server.workload import Job

NAME = "Tornado, awaiting handler"
FAMILY = "tornado"
AT_ONCE = "requests"


async def main(job: Job) -> None:
    class Handler(RequestHandler):
        async def get(self) -> None:
            for seconds in job.steps_s:
                await asyncio.sleep(seconds)

    sockets = bind_sockets(0, "127.0.0.1")
    HTTPServer(Application([("/", Handler)])).add_sockets(sockets)
    job.ready(sockets[0].getsockname()[1])
    await asyncio.Event().wait()


def serve(job: Job) -> None:
    asyncio.run(main(job))
