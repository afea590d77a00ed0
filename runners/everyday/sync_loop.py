"""One loop: one item after another, in one thread."""

from runners.everyday.workload import Answer, Job

NAME = "plain loop"
FAMILY = "sync"
AT_ONCE = "one"
ONLY = {"kind": ("compress", "read", "resize")}


def run(job: Job) -> list[Answer]:
    return [job.work(item) for item in job.items]
