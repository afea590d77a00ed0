"""As many turns as asked."""

from tests.validate.planted.loops import Job

FAMILY = "sync"
AT_ONCE = "one"


def run(job: Job) -> int:
    turns = 0
    while turns < job.turns:
        turns += 1
    return turns
