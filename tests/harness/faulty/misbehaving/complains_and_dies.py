"""Writes a long complaint to stderr, then ends at once."""

import os
import sys

from tests.harness.faulty.misbehaving.workload import Answer, Job

FAMILY = "sync"
AT_ONCE = "one"


def run(job: Job) -> list[Answer]:
    if job.goes_wrong:
        sys.stderr.write("rubbish " * 100_000 + "\nno room in /home/somebody/secret/place.db\n")
        sys.stderr.flush()
        os._exit(3)
    return [job.work(number) for number in job.numbers]
