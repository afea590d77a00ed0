"""A process from a fork server that starts first: the default on Linux since Python 3.14."""

import multiprocessing
from functools import partial

from runners.worker_start._process import Worker
from runners.worker_start.workload import Job

NAME = "first process of a fork server"
FAMILY = "processes"
AT_ONCE = "workers"
REQUIRES_FORK = True
ONLY = {"kind": ("worker",), "modules": (0,), "workers": (1,)}


def run(job: Job) -> None:
    context = multiprocessing.get_context("forkserver")
    job.employ(partial(Worker, context))
