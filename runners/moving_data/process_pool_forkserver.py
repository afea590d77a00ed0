"""A process that a fork server started; data is pickled, and sent through a pipe."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor

from runners.moving_data.workload import Job

NAME = "process, from a fork server"
FAMILY = "processes"
ONLY = {"data": ("a list of 10,000 ints",)}
REQUIRES_FORK = True


def run(job: Job) -> None:
    with ProcessPoolExecutor(max_workers=1, mp_context=multiprocessing.get_context("forkserver")) as pool:
        pool.submit(job.function, None).result()  # afterwards its process is there
        for data in job.calls():
            job.answer = pool.submit(job.function, data).result()
