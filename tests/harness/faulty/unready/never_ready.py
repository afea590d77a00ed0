"""Never listens."""

import time

from tests.harness.faulty.server.workload import Job

FAMILY = "sync"
AT_ONCE = "one"


def serve(_job: Job) -> None:
    time.sleep(60)
