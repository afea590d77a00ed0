"""Each request logs a line by a handler that writes to the slow stream."""

import asyncio
import logging

from runners.stalls.workload import Job

NAME = "logging directly"
FAMILY = "asyncio"
AT_ONCE = "in turn"
ONLY = {"size": ("log",)}


def handle(request: int, logger: logging.Logger) -> int:
    logger.info("request %d", request)
    return request


async def main(job: Job, logger: logging.Logger) -> list[int]:
    async with job.beating_heart():
        return [handle(request, logger) async for request in job.requests()]


def run(job: Job) -> list[int]:
    logger = logging.getLogger("service")
    logger.setLevel(logging.INFO)
    logger.handlers = [logging.StreamHandler(job.stream)]
    return asyncio.run(main(job, logger))
