"""async_to_sync of asgiref, in a program without an event loop: each call makes one, as in a management command."""

from asgiref.sync import async_to_sync

from runners.moving_data.workload import Job

NAME = "asgiref, async_to_sync, cold"
FAMILY = "asyncio"
ONLY = {"data": ("an int, from an event loop",)}


def run(job: Job) -> None:
    async_to_sync(job.function_async)(None)
    for data in job.calls():
        job.answer = async_to_sync(job.function_async)(data)
