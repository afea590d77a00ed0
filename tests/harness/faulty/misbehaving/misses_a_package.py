"""Needs a package that is not pinned."""

import no_such_package  # type: ignore[import-not-found]

from tests.harness.faulty.misbehaving.workload import Answer, Job

FAMILY = "sync"
AT_ONCE = "one"


def run(job: Job) -> list[Answer]:
    return [no_such_package.double(number) for number in job.numbers]
