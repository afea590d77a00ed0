"""to_thread with one future less: the pool's thread sets asyncio's future itself. The context is copied as well."""

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from runners.moving_data.workload import Job

NAME = "to_thread, straight to the future"
FAMILY = "asyncio"
ONLY = {"data": ("an int, from an event loop",)}


async def main(job: Job) -> None:
    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor() as pool:

        async def to_thread(function: Callable[..., object], *arguments: object) -> object:
            future = loop.create_future()
            pool.submit(work, future, contextvars.copy_context().run, function, *arguments)
            return await future

        def work(future: asyncio.Future[object], run: Callable[..., object], *arguments: object) -> None:
            try:
                result = run(*arguments)
            except Exception as error:  # noqa: BLE001 - it is raised where the result is awaited
                loop.call_soon_threadsafe(future.set_exception, error)
            else:
                loop.call_soon_threadsafe(future.set_result, result)

        await to_thread(job.function, None)  # afterwards its thread is there
        for data in job.calls():
            job.answer = await to_thread(job.function, data)


def run(job: Job) -> None:
    asyncio.run(main(job))
