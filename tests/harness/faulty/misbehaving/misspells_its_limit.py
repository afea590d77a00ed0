"""Names a limit that the scenario does not have."""

from tests.harness.faulty.misbehaving.workload import Answer, Job

FAMILY = "sync"
AT_ONCE = "ones"


def run(job: Job) -> list[Answer]:
    return [job.work(number) for number in job.numbers]
