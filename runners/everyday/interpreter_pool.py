"""A pool of sub-interpreters, each with a thread and a GIL of its own in the one process.

An item is handed over, and its answer back, pickled, and each interpreter imports anew what it needs.
"""

from concurrent.futures import InterpreterPoolExecutor  # type: ignore[attr-defined]  # new in 3.14

from runners.everyday.workload import Answer, Job

NAME = "interpreter pool"
FAMILY = "interpreters"
AT_ONCE = "workers"
ONLY = {"kind": ("compress", "resize")}
REQUIRES_PYTHON = "3.14"


def run(job: Job) -> list[Answer]:
    with InterpreterPoolExecutor(max_workers=job.cores) as pool:
        return list(pool.map(job.work, job.items))
