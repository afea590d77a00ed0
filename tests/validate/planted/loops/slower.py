"""A tenth more turns than asked."""

from tests.validate.planted.loops import Job

FAMILY = "sync"
AT_ONCE = "one"


def run(job: Job) -> int:
    turns = 0
    while turns < job.turns + job.turns // 10:
        turns += 1
    return turns
