"""A tenth more turns than asked."""

from tests.validate.planted.loops import Job

FAMILY = "sync"
AT_ONCE = "one"


def run(job: Job) -> int:
    turns, last = 0, job.turns + job.turns // 10
    while turns < last:
        turns += 1
    return turns
