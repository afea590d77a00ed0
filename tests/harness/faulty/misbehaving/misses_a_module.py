"""Uses a module of the standard library that this build does not have."""

import importlib

from tests.harness.faulty.misbehaving.workload import Answer, Job

FAMILY = "sync"
AT_ONCE = "one"


def run(job: Job) -> list[Answer]:
    importlib.import_module("no_such_module")
    return [job.work(number) for number in job.numbers]
