"""The application for aiohttp."""

import asyncio
import socket
from collections.abc import Callable

from aiohttp import web

from runners.workers.workload import Job


async def serve_forever(job: Job, listener: socket.socket, started: Callable[[], object]) -> None:
    """Answer the connections of *listener* on this thread's event loop."""

    async def handle(_request: web.Request) -> web.Response:
        await asyncio.sleep(job.wait_s)
        job.compute()
        return web.Response()

    app = web.Application()
    app.router.add_get("/", handle)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.SockSite(runner, listener, backlog=512).start()
    started()
    await asyncio.Event().wait()
