"""An asyncio task for each task; a pool of processes computes for several at a time, and the event loop waits."""

import asyncio
import time
from concurrent.futures import ProcessPoolExecutor

from runners.crossover.workload import Beaten, Computed, Done, Job, Measured, Point
from runners.harness.contract import span_since

NAME = "asyncio and a process pool, in chunks"
FAMILY = "asyncio"
AT_ONCE = "tasks"
ONLY = {"kind": ("timers",), "tasks": (100, 1_000, 10_000)}


def compute_each(point: Point, numbers: range) -> list[Computed]:
    return [point.compute() for _ in numbers]


async def compute(pool: ProcessPoolExecutor, point: Point, numbers: range) -> list[Computed]:
    if not point.turns:
        return compute_each(point, numbers)
    return await asyncio.get_running_loop().run_in_executor(pool, compute_each, point, numbers)


async def task(point: Point, number: int, computed: Computed, started_ns: int) -> Done:
    await point.wait_in_loop()
    return Done(number, computed, span_since(started_ns))


async def chunk(pool: ProcessPoolExecutor, point: Point, numbers: range) -> list[Done]:
    started_ns = time.perf_counter_ns()
    computed = await compute(pool, point, numbers)
    return await asyncio.gather(*[task(point, *each, started_ns) for each in zip(numbers, computed, strict=True)])


async def main(point: Point) -> list[Done]:
    numbers = range(point.tasks)
    with ProcessPoolExecutor() as pool:
        chunks = [chunk(pool, point, numbers[n : n + point.chunk]) for n in range(0, point.tasks, point.chunk)]
        return [done for each in await asyncio.gather(*chunks) for done in each]


def together(point: Point) -> list[Done]:
    return asyncio.run(main(point))


def run(job: Job) -> list[Measured | Beaten]:
    return job.each_point(together)
