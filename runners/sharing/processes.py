"""Processes, which share nothing: each counts in a list and a dict of its own.

They start before the first trial, so that no trial contains their start.
"""

from concurrent.futures import ProcessPoolExecutor

from runners.sharing._tally import tally
from runners.sharing.workload import Job

NAME = "two processes, private objects"
FAMILY = "processes"
AT_ONCE = "workers"


def run(job: Job) -> None:
    pools = [ProcessPoolExecutor(1) for _ in range(job.workers)]
    for started in [pool.submit(tally, range(0)) for pool in pools]:
        started.result()
    for trial in job.trials(steps=300_000):
        futures = [pool.submit(tally, part) for pool, part in zip(pools, trial.parts, strict=False)]
        trial.answers = [future.result() for future in futures]
    for pool in pools:
        pool.shutdown()
