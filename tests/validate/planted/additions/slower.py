"""A loop that adds a tenth more numbers than asked."""

from tests.validate.planted.additions.workload import Job

FAMILY = "sync"
AT_ONCE = "one"


def run(job: Job) -> int:
    total = 0
    for number in range(job.numbers + job.numbers // 10):
        if number % 2 == 0:
            total += number
    return total
