"""Fails with words that no file can hold."""

from tests.harness.faulty.misbehaving.workload import Answer, Job

FAMILY = "sync"
AT_ONCE = "one"


def run(job: Job) -> list[Answer]:
    if job.goes_wrong:
        msg = "half a letter: \ud800"
        raise ValueError(msg)
    return [job.work(number) for number in job.numbers]
