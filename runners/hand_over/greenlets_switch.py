"""Greenlets that switch to one another themselves: what lies below gevent, without its loop."""

from greenlet import greenlet

from runners.hand_over.workload import Job

NAME = "greenlets, switch()"
FAMILY = "gevent"
ONLY = {"tasks": (2,)}


def run(job: Job) -> None:
    greenlets: list[greenlet] = []

    def take_turns(number: int) -> None:
        for _ in job.turns:
            job.take(number)
            greenlets[job.after(number)].switch(job.after(number))

    greenlets.extend(greenlet(take_turns) for _ in job.tasks)
    greenlets[0].switch(0)
