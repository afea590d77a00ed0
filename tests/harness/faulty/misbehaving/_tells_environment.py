"""Names the environment variables that it has."""

import os

from tests.harness.faulty.misbehaving.workload import Answer, Job


def run(job: Job) -> list[Answer]:
    if job.goes_wrong:
        raise RuntimeError(" ".join(sorted(os.environ)))
    return []
