"""An asyncio task for each task; a pool of processes computes, and the event loop waits."""

import asyncio
import time
from concurrent.futures import ProcessPoolExecutor

from runners.crossover.workload import Beaten, Computed, Done, Job, Measured, Point
from runners.harness.contract import span_since

NAME = "asyncio and a process pool"
FAMILY = "asyncio"
AT_ONCE = "tasks"
ONLY = {"kind": ("timers", "sockets", "hashing")}  # without computing it is a loop without a pool


async def compute(pool: ProcessPoolExecutor, point: Point) -> Computed:
    if not point.turns:
        return point.compute()
    return await asyncio.get_running_loop().run_in_executor(pool, point.compute)


async def task(pool: ProcessPoolExecutor, point: Point, number: int) -> Done:
    started_ns = time.perf_counter_ns()
    computed = await compute(pool, point)
    await point.wait_in_loop()
    return Done(number, computed, span_since(started_ns))


async def main(point: Point) -> list[Done]:
    with ProcessPoolExecutor() as pool:
        return await asyncio.gather(*[task(pool, point, number) for number in range(point.tasks)])


def together(point: Point) -> list[Done]:
    return asyncio.run(main(point))


def run(job: Job) -> list[Measured | Beaten]:
    return job.each_point(together)
