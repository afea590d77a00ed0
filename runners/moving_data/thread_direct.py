"""One thread with a queue, without a pool, that sets asyncio's future itself; with a copy of the context."""

import asyncio
import contextvars
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread

from runners.moving_data.workload import Job

NAME = "a thread and a queue"
FAMILY = "asyncio"
ONLY = {"data": ("an int, from an event loop",)}

Call = tuple[asyncio.Future[object], Callable[..., object], tuple[object, ...]]


def work(calls: "SimpleQueue[Call | None]", loop: asyncio.AbstractEventLoop) -> None:
    while call := calls.get():
        future, function, arguments = call
        try:
            result = function(*arguments)
        except Exception as error:  # noqa: BLE001 - it is raised where the result is awaited
            loop.call_soon_threadsafe(future.set_exception, error)
        else:
            loop.call_soon_threadsafe(future.set_result, result)


async def main(job: Job) -> None:
    loop = asyncio.get_running_loop()
    calls: SimpleQueue[Call | None] = SimpleQueue()
    thread = Thread(target=work, args=(calls, loop))
    thread.start()

    async def to_thread(function: Callable[..., object], *arguments: object) -> object:
        future = loop.create_future()
        calls.put((future, contextvars.copy_context().run, (function, *arguments)))
        return await future

    await to_thread(job.function, None)
    for data in job.calls():
        job.answer = await to_thread(job.function, data)
    calls.put(None)
    thread.join()


def run(job: Job) -> None:
    asyncio.run(main(job))
