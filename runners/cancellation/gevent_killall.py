"""Greenlets, killed together: gevent raises an exception in each and waits until they are gone."""

import gevent

from runners.cancellation.workload import Job

NAME = "gevent killall"
FAMILY = "gevent"
AT_ONCE = "tasks"


def run(job: Job) -> list[int]:
    greenlets = [gevent.spawn(job.block, number, gevent.sleep, gevent.sleep) for number in job.numbers]
    while not job.all_wait.is_set():
        gevent.sleep(job.lead_s)  # not all have begun after the first
    job.cancels()
    gevent.killall(greenlets)
    job.goes_on()
    job.all_gone()
    return []
