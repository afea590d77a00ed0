"""A generator that is summed."""

from tests.validate.planted.additions.workload import Job

FAMILY = "sync"
AT_ONCE = "one"


def run(job: Job) -> int:
    return sum(number for number in range(job.numbers) if number % 2 == 0)
