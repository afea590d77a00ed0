"""Closes every file that is open, the harness's among them, and goes on."""

import os
import time

from tests.harness.faulty.misbehaving.workload import Answer, Job

FAMILY = "sync"
AT_ONCE = "one"


def run(job: Job) -> list[Answer]:
    if job.goes_wrong:
        os.closerange(3, 100)
        time.sleep(60)
    return [job.work(number) for number in job.numbers]
