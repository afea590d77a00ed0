"""Announces a port on which nothing listens."""

import time

from tests.harness.faulty.server.workload import Job

FAMILY = "sync"
AT_ONCE = "one"


def serve(job: Job) -> None:
    assert job.ready is not None
    job.ready(1)
    time.sleep(60)
