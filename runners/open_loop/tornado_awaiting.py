"""Tornado: the handler awaits, and the event loop works on other requests meanwhile."""

import asyncio

from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler

from runners.open_loop.workload import Job

NAME = "Tornado"
FAMILY = "tornado"
AT_ONCE = "requests"
ONLY = {"size": ("1,000 requests/s",)}


async def main(job: Job) -> None:
    class Handler(RequestHandler):
        async def get(self) -> None:
            await asyncio.sleep(job.wait_s)
            job.compute()

    sockets = bind_sockets(0, "127.0.0.1", backlog=512)
    HTTPServer(Application([("/", Handler)])).add_sockets(sockets)
    job.ready(sockets[0].getsockname()[1])
    await asyncio.Event().wait()


def serve(job: Job) -> None:
    asyncio.run(main(job))
