"""Needs a Python that there is not yet."""

from tests.harness.faulty.misbehaving.workload import Answer, Job

FAMILY = "sync"
AT_ONCE = "one"
REQUIRES_PYTHON = "3.99"


def run(job: Job) -> list[Answer]:
    return [job.work(number) for number in job.numbers]
