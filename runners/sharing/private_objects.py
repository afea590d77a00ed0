"""Threads that share nothing: each counts in a list and a dict of its own."""

from concurrent.futures import ThreadPoolExecutor

from runners.sharing._tally import tally
from runners.sharing.workload import Job

NAME = "private objects"
FAMILY = "threads"
AT_ONCE = "workers"


def run(job: Job) -> None:
    for trial in job.trials(steps=300_000):
        with ThreadPoolExecutor(trial.workers) as pool:
            trial.answers = list(pool.map(tally, trial.parts))
