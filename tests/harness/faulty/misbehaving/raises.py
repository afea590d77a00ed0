"""Fails, and names a private path."""

from tests.harness.faulty.misbehaving.workload import Answer, Job

FAMILY = "sync"
AT_ONCE = "one"


def run(job: Job) -> list[Answer]:
    if job.goes_wrong:
        msg = "no such file: /home/somebody/secret/place.db"
        raise OSError(msg)
    return [job.work(number) for number in job.numbers]
