"""A process from a fork server that runs already and has imported the modules."""

import multiprocessing
from functools import partial

from runners.worker_start._process import Worker, start_server
from runners.worker_start.workload import Job

NAME = "process of a preloaded fork server"
FAMILY = "processes"
AT_ONCE = "workers"
REQUIRES_FORK = True
ONLY = {"modules": (1,)}


def run(job: Job) -> None:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["runners.worker_start._modules"])
    start_server(context)
    job.employ(partial(Worker, context))
