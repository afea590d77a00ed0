"""A pool of sub-interpreters in one process, each with a thread and a GIL of its own; of the default size."""

from concurrent.futures import InterpreterPoolExecutor  # type: ignore[attr-defined]  # new in 3.14

from runners.crossover.workload import Beaten, Done, Job, Measured, Point
from runners.harness.contract import default_executor_threads

NAME = "interpreter pool"
FAMILY = "interpreters"
AT_ONCE = "default pool"
REQUIRES_PYTHON = "3.14"


def together(point: Point) -> list[Done]:
    with InterpreterPoolExecutor() as pool:
        return list(pool.map(point.task, range(point.tasks)))


def run(job: Job) -> list[Measured | Beaten]:
    return job.each_point(together, at_once=default_executor_threads())
