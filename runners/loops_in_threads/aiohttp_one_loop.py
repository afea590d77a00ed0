"""aiohttp on one event loop."""

import asyncio
import socket

from aiohttp import web

from runners.loops_in_threads.workload import Job, Request

NAME = "aiohttp, one loop"
FAMILY = "aiohttp"
ONLY = {"kind": ("requests",)}


async def main(job: Job, request: Request, listener: socket.socket) -> None:
    async def handle(_request: web.Request) -> web.Response:
        await asyncio.sleep(request.wait_s)
        request.compute()
        return web.Response()

    app = web.Application()
    app.router.add_get("/", handle)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.SockSite(runner, listener, backlog=512).start()
    job.ready(listener.getsockname()[1])
    await asyncio.Event().wait()


def serve(job: Job) -> None:
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    asyncio.run(main(job, job.request, listener))
