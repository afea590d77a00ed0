"""A gevent greenlet for each task, all of which wait for one event."""

import gevent
from gevent.event import Event

from runners.idle_tasks.workload import Job

NAME = "gevent greenlets"
FAMILY = "gevent"
AT_ONCE = "tasks"


def wait(job: Job, number: int, release: Event) -> None:
    job.arrive(number)
    release.wait()
    job.leave(number)


def run(job: Job) -> None:
    job.begin()
    release = Event()
    greenlets = [gevent.spawn(wait, job, number, release) for number in job.numbers]
    while not job.all_wait():
        gevent.sleep(0)
    job.look()
    release.set()
    gevent.joinall(greenlets, raise_error=True)
    job.end()
