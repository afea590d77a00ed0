"""A process that was forked from this one; data is pickled, and sent through a pipe."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor

from runners.moving_data.workload import Job

NAME = "process, forked"
FAMILY = "processes"
ONLY = {
    "data": (
        "an int",
        "a list of 10,000 ints",
        "a dict of 1,000 strings",
        "1 MB of bytes",
        "a list of ten blocks of 100 kB",
    )
}
REQUIRES_FORK = True


def run(job: Job) -> None:
    with ProcessPoolExecutor(max_workers=1, mp_context=multiprocessing.get_context("fork")) as pool:
        pool.submit(job.function, None).result()  # afterwards its process is there
        for data in job.calls():
            job.answer = pool.submit(job.function, data).result()
