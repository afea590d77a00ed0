"""Processes, which share nothing: each counts in a list and a dict of its own.

They start before the first trial, and wait for each other, so that no trial contains their start.
"""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import Barrier

from runners.sharing._tally import tally
from runners.sharing.workload import Job

NAME = "two processes, private objects"
FAMILY = "processes"
AT_ONCE = "workers"


def run(job: Job) -> None:
    all_started = Barrier(job.workers)
    with ProcessPoolExecutor(job.workers, initializer=all_started.wait) as pool:
        list(pool.map(tally, [range(0)] * job.workers))
        for trial in job.trials(steps=300_000):
            trial.answers = list(pool.map(tally, trial.parts))
