"""aiohttp with steps that block inside the coroutine handler, and the event loop with them."""

import asyncio
import time

from aiohttp import web

from runners.blocking_server.workload import Job

NAME = "aiohttp, blocking handler"
FAMILY = "aiohttp"
AT_ONCE = "one"
ONLY = {"size": ("tenth",)}


async def main(job: Job) -> None:
    async def handle(_request: web.Request) -> web.Response:
        for seconds in job.steps_s:
            time.sleep(seconds)  # noqa: ASYNC251 - the mistake that is measured
        return web.Response()

    app = web.Application()
    app.router.add_get("/", handle)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=128).start()
    job.ready(runner.addresses[0][1])
    await asyncio.Event().wait()


def serve(job: Job) -> None:
    asyncio.run(main(job))
