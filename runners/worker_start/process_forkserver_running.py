"""A process from a fork server that runs already, and imports what it needs."""

import multiprocessing
from functools import partial

from runners.worker_start._process import Worker, start_server
from runners.worker_start.workload import Job

NAME = "process of a running fork server"
FAMILY = "processes"
AT_ONCE = "workers"
REQUIRES_FORK = True
ONLY = {"kind": ("worker",)}


def run(job: Job) -> None:
    context = multiprocessing.get_context("forkserver")
    start_server(context)
    job.employ(partial(Worker, context))
