"""gevent greenlets, each with a queue of its own in which the token comes."""

import gevent
from gevent.queue import Queue

from runners.hand_over.workload import Job

NAME = "gevent queues"
FAMILY = "gevent"


def hand_on(job: Job, number: int, inbox: "Queue[str]", outbox: "Queue[str]") -> None:
    for _ in job.turns:
        token = inbox.get()
        job.take(number)
        outbox.put(token)


def run(job: Job) -> None:
    queues: list[Queue[str]] = [Queue() for _ in job.tasks]
    greenlets = [gevent.spawn(hand_on, job, number, queues[number], queues[job.after(number)]) for number in job.tasks]
    queues[0].put("token")
    gevent.joinall(greenlets, raise_error=True)
