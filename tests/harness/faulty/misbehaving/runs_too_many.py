"""Does all at once where one at a time is asked for."""

from concurrent.futures import ThreadPoolExecutor

from tests.harness.faulty.misbehaving.workload import Answer, Job

FAMILY = "threads"
AT_ONCE = "one"


def run(job: Job) -> list[Answer]:
    with ThreadPoolExecutor(max_workers=3) as pool:
        return list(pool.map(job.work, job.numbers))
