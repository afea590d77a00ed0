"""aiohttp on one event loop, which hands the computing to asyncio.to_thread."""

import asyncio

from aiohttp import web

from runners.workers.workload import Job

NAME = "aiohttp, computing in to_thread"
FAMILY = "aiohttp"
AT_ONCE = "requests"
ONLY = {"size": ("500 requests/s", "no wait")}


async def main(job: Job) -> None:
    async def handle(_request: web.Request) -> web.Response:
        await asyncio.sleep(job.wait_s)
        await asyncio.to_thread(job.compute)
        return web.Response()

    app = web.Application()
    app.router.add_get("/", handle)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=512).start()
    job.ready(runner.addresses[0][1])
    await asyncio.Event().wait()


def serve(job: Job) -> None:
    asyncio.run(main(job))
