"""One loop: one number after another, in one thread."""

from runners.primes.workload import Answer, Job

NAME = "plain loop"
FAMILY = "sync"
AT_ONCE = "one"
ONLY = {"timer": (0,)}


def run(job: Job) -> list[Answer]:
    return [job.work(number) for number in job.numbers]
