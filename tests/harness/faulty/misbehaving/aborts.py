"""Crashes as an extension module would."""

import os

from tests.harness.faulty.misbehaving.workload import Answer, Job

FAMILY = "sync"
AT_ONCE = "one"


def run(job: Job) -> list[Answer]:
    if job.goes_wrong:
        os.abort()
    return [job.work(number) for number in job.numbers]
