"""An asyncio task for each task; asyncio.to_thread computes in the loop's default pool of threads."""

import asyncio
import time

from runners.crossover.workload import Beaten, Done, Job, Measured, Point
from runners.harness.contract import span_since

NAME = "asyncio.to_thread"
FAMILY = "asyncio"
AT_ONCE = "tasks"
ONLY = {"kind": ("hashing",)}


async def task(point: Point, number: int) -> Done:
    started_ns = time.perf_counter_ns()
    computed = await asyncio.to_thread(point.compute)
    await point.wait_in_loop()
    return Done(number, computed, span_since(started_ns))


async def main(point: Point) -> list[Done]:
    return await asyncio.gather(*[task(point, number) for number in range(point.tasks)])


def together(point: Point) -> list[Done]:
    return asyncio.run(main(point))


def run(job: Job) -> list[Measured | Beaten]:
    return job.each_point(together)
