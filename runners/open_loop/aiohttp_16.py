"""aiohttp that works on 16 requests at once, as many as a pool of 16 threads does; the others wait their turn."""

import asyncio

from aiohttp import web

from runners.open_loop.workload import Job

NAME = "aiohttp, 16 at once"
FAMILY = "aiohttp"
AT_ONCE = "workers"
ONLY = {"size": ("16 at once",)}


async def main(job: Job) -> None:
    turns = asyncio.Semaphore(job.workers)

    async def handle(_request: web.Request) -> web.Response:
        async with turns:
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
    asyncio.run(main(job))
