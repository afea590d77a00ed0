"""Each request logs a line by a QueueHandler; a QueueListener writes to the slow stream, in a thread of its own."""

import asyncio
import logging
from logging.handlers import QueueHandler, QueueListener
from queue import SimpleQueue

from runners.stalls.workload import Job

NAME = "logging through a queue"
FAMILY = "threads"
AT_ONCE = "in turn"
ONLY = {"size": ("log",)}


def handle(request: int, logger: logging.Logger) -> int:
    logger.info("request %d", request)
    return request


async def main(job: Job, logger: logging.Logger) -> list[int]:
    async with job.beating_heart():
        return [handle(request, logger) async for request in job.requests()]


def run(job: Job) -> list[int]:
    queue: SimpleQueue[logging.LogRecord] = SimpleQueue()
    logger = logging.getLogger("service")
    logger.setLevel(logging.INFO)
    logger.handlers = [QueueHandler(queue)]
    listener = QueueListener(queue, logging.StreamHandler(job.stream))
    listener.start()
    answers = asyncio.run(main(job, logger))
    listener.stop()  # waits until all is written
    return answers
