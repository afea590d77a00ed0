"""Threads that share nothing: each counts in a list and a dict of its own."""

from runners.sharing._tally import tally
from runners.sharing._threads import in_threads
from runners.sharing.workload import Job

NAME = "private objects"
FAMILY = "threads"
AT_ONCE = "workers"


def run(job: Job) -> None:
    for trial in job.trials(steps=300_000):
        trial.answers = in_threads(tally, trial.parts)
