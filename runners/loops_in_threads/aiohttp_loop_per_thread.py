"""aiohttp on an event loop in each of two threads, which accept connections from one listening socket."""

import asyncio
import socket
from threading import Barrier, Thread

from aiohttp import web

from runners.loops_in_threads.workload import Job, Request

NAME = "aiohttp, a loop in each of two threads"
FAMILY = "threads"
ONLY = {"kind": ("requests",)}


async def main(request: Request, listener: socket.socket, all_listen: Barrier) -> None:
    async def handle(_request: web.Request) -> web.Response:
        await asyncio.sleep(request.wait_s)
        request.compute()
        return web.Response()

    app = web.Application()
    app.router.add_get("/", handle)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.SockSite(runner, listener, backlog=512).start()
    all_listen.wait()
    await asyncio.Event().wait()


def run_loop(request: Request, listener: socket.socket, all_listen: Barrier) -> None:
    asyncio.run(main(request, listener, all_listen))


def serve(job: Job) -> None:
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    all_listen = Barrier(job.workers + 1)
    threads = [Thread(target=run_loop, args=(job.request, listener, all_listen)) for _ in range(job.workers)]
    for thread in threads:
        thread.start()
    all_listen.wait()
    job.ready(listener.getsockname()[1])
    for thread in threads:
        thread.join()
