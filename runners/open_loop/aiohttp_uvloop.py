"""aiohttp on uvloop: the handler awaits, and the event loop works on other requests meanwhile."""

import asyncio

import uvloop
from aiohttp import web

from runners.open_loop.workload import Job

NAME = "aiohttp on uvloop"
FAMILY = "uvloop"
AT_ONCE = "requests"
ONLY = {"size": ("16 at once", "nothing to do")}


async def main(job: Job) -> None:
    async def handle(_request: web.Request) -> web.Response:
        await asyncio.sleep(job.wait_s)
        job.compute()
        return web.Response()

    app = web.Application()
    app.router.add_get("/", handle)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=512).start()
    job.ready(runner.addresses[0][1])
    await asyncio.Event().wait()


def serve(job: Job) -> None:
    uvloop.run(main(job))
