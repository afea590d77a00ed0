"""As many turns as asked."""

from tests.validate.planted.additions.workload import Job

FAMILY = "sync"
AT_ONCE = "one"


def run(job: Job) -> int:
    turns, last = 0, job.numbers
    while turns < last:
        turns += 1
    return turns
