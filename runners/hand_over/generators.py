"""Generators that a plain loop resumes one after another: no scheduler, no lock, no system call."""

from collections.abc import Generator

from runners.hand_over.workload import Job

NAME = "generators in a plain loop"
FAMILY = "sync"
ONLY = {"tasks": (2,)}


def take_turns(job: Job, number: int) -> Generator[None, None, None]:
    for _ in job.turns:
        job.take(number)
        yield


def run(job: Job) -> None:
    generators = [take_turns(job, number) for number in job.tasks]
    for _ in job.turns:
        for generator in generators:
            generator.send(None)
