"""A process that is a copy of this one: the default on Linux up to Python 3.13."""

import multiprocessing
from functools import partial

from runners.worker_start._process import Worker
from runners.worker_start.workload import Job

NAME = "forked process"
FAMILY = "processes"
AT_ONCE = "workers"
REQUIRES_FORK = True
ONLY = {"kind": ("worker",)}


def run(job: Job) -> None:
    context = multiprocessing.get_context("fork")
    job.employ(partial(Worker, context))
