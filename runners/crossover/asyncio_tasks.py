"""An asyncio task for each task, all gathered; each computes on the event loop."""

import asyncio
import time

from runners.crossover.workload import Beaten, Done, Job, Measured, Point
from runners.harness.contract import span_since

NAME = "asyncio tasks"
FAMILY = "asyncio"
AT_ONCE = "tasks"


async def task(point: Point, number: int) -> Done:
    started_ns = time.perf_counter_ns()
    computed = point.compute()
    await point.wait_in_loop()
    return Done(number, computed, span_since(started_ns))


async def main(point: Point) -> list[Done]:
    return await asyncio.gather(*[task(point, number) for number in range(point.tasks)])


def together(point: Point) -> list[Done]:
    return asyncio.run(main(point))


def run(job: Job) -> list[Measured | Beaten]:
    return job.each_point(together)
