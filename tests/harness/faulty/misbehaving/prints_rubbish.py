"""Prints what looks like a result, and does what it is asked to."""

import sys

from tests.harness.faulty.misbehaving.workload import Answer, Job

FAMILY = "sync"
AT_ONCE = "one"


def run(job: Job) -> list[Answer]:
    sys.stdout.write('{"status": "failed"}\n' * 10_000)
    sys.stderr.write('{"status": "failed"}\n' * 10_000)
    return [job.work(number) for number in job.numbers]
