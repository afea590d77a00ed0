"""gevent greenlets, each with an event of its own that says that the token is there."""

import gevent
from gevent.event import Event

from runners.hand_over.workload import Job

NAME = "gevent events"
FAMILY = "gevent"
ONLY = {"tasks": (2,)}


def hand_on(job: Job, number: int, mine: Event, next_one: Event) -> None:
    for _ in job.turns:
        mine.wait()
        mine.clear()
        job.take(number)
        next_one.set()


def run(job: Job) -> None:
    events = [Event() for _ in job.tasks]
    greenlets = [gevent.spawn(hand_on, job, number, events[number], events[job.after(number)]) for number in job.tasks]
    events[0].set()
    gevent.joinall(greenlets, raise_error=True)
