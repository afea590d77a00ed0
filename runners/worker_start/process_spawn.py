"""A process that is a new interpreter: the default on macOS and Windows."""

import multiprocessing
from functools import partial

from runners.worker_start._process import Worker
from runners.worker_start.workload import Job

NAME = "spawned process"
FAMILY = "processes"
AT_ONCE = "workers"
ONLY = {"kind": ("worker",), "workers": (1,)}


def run(job: Job) -> None:
    context = multiprocessing.get_context("spawn")
    job.employ(partial(Worker, context))
