"""A thread for each task, all started at once."""

from threading import Thread

from runners.crossover.workload import Beaten, Done, Job, Measured, Point

NAME = "threads"
FAMILY = "threads"
AT_ONCE = "tasks"


def together(point: Point) -> list[Done]:
    done: list[Done] = []
    threads = [Thread(target=lambda number: done.append(point.task(number)), args=(n,)) for n in range(point.tasks)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return done


def run(job: Job) -> list[Measured | Beaten]:
    return job.each_point(together)
