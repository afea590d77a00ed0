"""aiohttp on uvloop: each step awaits, and the event loop works on other requests meanwhile."""

import asyncio

import uvloop
from aiohttp import web

from runners.blocking_server.workload import Job

NAME = "aiohttp on uvloop, awaiting handler"
FAMILY = "uvloop"
AT_ONCE = "requests"
ONLY = {"size": ("tenth",)}  # at the published delays no loop can be told from another


async def main(job: Job) -> None:
    async def handle(_request: web.Request) -> web.Response:
        for seconds in job.steps_s:
            await asyncio.sleep(seconds)
        return web.Response()

    app = web.Application()
    app.router.add_get("/", handle)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=128).start()
    job.ready(runner.addresses[0][1])
    await asyncio.Event().wait()


def serve(job: Job) -> None:
    uvloop.run(main(job))
