"""A pool of processes, one for each core, which is sent several tasks at a time."""

from concurrent.futures import ProcessPoolExecutor

from runners.crossover.workload import Beaten, Done, Job, Measured, Point

NAME = "process pool, in chunks"
FAMILY = "processes"
AT_ONCE = "workers"
ONLY = {"kind": ("timers",), "tasks": (100, 1_000, 10_000)}


def together(point: Point) -> list[Done]:
    with ProcessPoolExecutor() as pool:
        return list(pool.map(point.task, range(point.tasks), chunksize=point.chunk))


def run(job: Job) -> list[Measured | Beaten]:
    return job.each_point(together, at_once=job.cores)
