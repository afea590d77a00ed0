"""Gives answers that are not right."""

from tests.harness.faulty.misbehaving.workload import Answer, Job

FAMILY = "sync"
AT_ONCE = "one"


def run(job: Job) -> list[Answer]:
    return [job.work(0) for _ in job.numbers]
