"""Lacks its family."""

from tests.harness.faulty.misbehaving.workload import Answer, Job

AT_ONCE = "one"


def run(job: Job) -> list[Answer]:
    return [job.work(number) for number in job.numbers]
