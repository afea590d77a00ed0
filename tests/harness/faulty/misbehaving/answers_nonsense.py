"""Gives an answer that is not a number."""

from tests.harness.faulty.misbehaving.workload import Answer, Job

FAMILY = "sync"
AT_ONCE = "one"


def run(job: Job) -> list[Answer]:
    return [job.work(number)._replace(doubled=float("nan")) for number in job.numbers]
