"""Announces an invalid port."""

import time

from tests.harness.faulty.server.workload import Job

FAMILY = "sync"
AT_ONCE = "one"


def serve(job: Job) -> None:
    assert job.ready is not None
    job.ready("abc")  # type: ignore[arg-type]
    time.sleep(60)
