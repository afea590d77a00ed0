"""A trio task for each task, all of one nursery; each computes on the event loop."""

import time

import trio

from runners.crossover.workload import Beaten, Done, Job, Measured, Point
from runners.harness.contract import span_since

NAME = "trio tasks"
FAMILY = "trio"
AT_ONCE = "tasks"


async def wait(point: Point) -> None:
    if point.kind != "sockets":
        await trio.sleep(point.place.wait_us / 1e6)
        return
    async with await trio.open_tcp_stream(*point.address) as stream:
        await stream.send_all(point.question)
        async for _ in stream:
            pass


async def task(point: Point, number: int, done: list[Done]) -> None:
    started_ns = time.perf_counter_ns()
    computed = point.compute()
    if point.place.wait_us:
        await wait(point)
    done.append(Done(number, computed, span_since(started_ns)))


async def main(point: Point) -> list[Done]:
    done: list[Done] = []
    async with trio.open_nursery() as nursery:
        for number in range(point.tasks):
            nursery.start_soon(task, point, number, done)
    return done


def together(point: Point) -> list[Done]:
    return trio.run(main, point)


def run(job: Job) -> list[Measured | Beaten]:
    return job.each_point(together)
