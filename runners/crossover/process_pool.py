"""A pool of processes, one for each core, started as the library does when it is not asked."""

from concurrent.futures import ProcessPoolExecutor

from runners.crossover.workload import Beaten, Done, Job, Measured, Point

NAME = "process pool"
FAMILY = "processes"
AT_ONCE = "workers"


def together(point: Point) -> list[Done]:
    with ProcessPoolExecutor() as pool:
        return list(pool.map(point.task, range(point.tasks)))


def run(job: Job) -> list[Measured | Beaten]:
    return job.each_point(together, at_once=job.cores)
