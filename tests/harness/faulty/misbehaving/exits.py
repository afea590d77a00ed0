"""Ends the program."""

import sys

from tests.harness.faulty.misbehaving.workload import Answer, Job

FAMILY = "sync"
AT_ONCE = "one"


def run(job: Job) -> list[Answer]:
    if job.goes_wrong:
        sys.exit(7)
    return [job.work(number) for number in job.numbers]
