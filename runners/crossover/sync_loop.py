"""One task after another, in a plain loop."""

from runners.crossover.workload import Beaten, Done, Job, Measured, Point

NAME = "plain loop"
FAMILY = "sync"
AT_ONCE = "one"


def together(point: Point) -> list[Done]:
    return [point.task(number) for number in range(point.tasks)]


def run(job: Job) -> list[Measured | Beaten]:
    return job.each_point(together, at_once=1)
