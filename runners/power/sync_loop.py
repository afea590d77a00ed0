"""One loop: one power after another, in one thread."""

from runners.power.workload import Answer, Job

NAME = "plain loop"
FAMILY = "sync"
AT_ONCE = "one"


def run(job: Job) -> list[Answer]:
    return [job.work(number) for number in job.numbers]
