"""As many waits as asked."""

import asyncio

from tests.validate.planted.waits.workload import Job

FAMILY = "asyncio"
AT_ONCE = "tasks"


def run(job: Job) -> int:
    return asyncio.run(job.all_tasks(job.waits))
