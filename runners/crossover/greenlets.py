"""A greenlet for each task, in a standard library that gevent has patched."""

from gevent import monkey

monkey.patch_all()

import gevent  # noqa: E402 - after the patch, as gevent asks for

from runners.crossover.workload import Beaten, Done, Job, Measured, Point  # noqa: E402

NAME = "gevent greenlets"
FAMILY = "gevent"
AT_ONCE = "tasks"


def together(point: Point) -> list[Done]:
    greenlets = [gevent.spawn(point.task, number) for number in range(point.tasks)]
    gevent.joinall(greenlets, raise_error=True)
    return [greenlet.value for greenlet in greenlets]


def run(job: Job) -> list[Measured | Beaten]:
    return job.each_point(together)
