"""A pool of sub-interpreters, each with a thread and a GIL of its own in the one process; one number a call.

The call and its answer are handed over pickled, and each interpreter imports anew what they need.
"""

from concurrent.futures import InterpreterPoolExecutor, as_completed  # type: ignore[attr-defined]  # new in 3.14

from runners.primes.workload import Answer, Job

NAME = "interpreter pool"
FAMILY = "interpreters"
AT_ONCE = "workers"
ONLY = {"timer": (0,)}
REQUIRES_PYTHON = "3.14"


def run(job: Job) -> list[Answer]:
    with InterpreterPoolExecutor(max_workers=job.workers) as pool:
        futures = [pool.submit(job.work, number) for number in job.numbers]
        return [future.result() for future in as_completed(futures)]
