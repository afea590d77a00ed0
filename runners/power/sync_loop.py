"""One loop: one power after another, in one thread."""

from runners.power import Answer, Job

FAMILY = "sync"
AT_ONCE = "one"


def run(job: Job) -> list[Answer]:
    return [job.work(number) for number in job.numbers]
