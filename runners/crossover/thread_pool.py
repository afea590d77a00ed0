"""A pool of threads, as many as the library starts when it is not asked."""

from concurrent.futures import ThreadPoolExecutor

from runners.crossover.workload import Beaten, Done, Job, Measured, Point
from runners.harness.contract import default_executor_threads

NAME = "thread pool"
FAMILY = "threads"
AT_ONCE = "default pool"


def together(point: Point) -> list[Done]:
    with ThreadPoolExecutor() as pool:
        return list(pool.map(point.task, range(point.tasks)))


def run(job: Job) -> list[Measured | Beaten]:
    return job.each_point(together, at_once=default_executor_threads())
