"""A pool of two processes that are copies of this one. Each gets the data as it starts."""

from __future__ import annotations

import multiprocessing
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from runners.worker_start._jobs import Done
    from runners.worker_start.workload import Job

NAME = "forked process pool"
FAMILY = "processes"
AT_ONCE = "workers"
REQUIRES_FORK = True
ONLY = {"kind": ("pool",)}


def run(job: Job) -> list[Done]:
    job.begin()
    with multiprocessing.get_context("fork").Pool(job.workers, job.receive, (job.data,)) as pool:
        done = list(pool.imap(job.work, job.numbers, chunksize=job.chunk))
    job.end()
    return done
