"""gevent's pool of threads, one number a call: the hub's greenlet waits while true threads work."""

from gevent.threadpool import ThreadPool

from runners.primes.workload import Answer, Job

NAME = "gevent thread pool"
FAMILY = "gevent"
AT_ONCE = "workers"
ONLY = {"timer": (0,)}


def run(job: Job) -> list[Answer]:
    pool = ThreadPool(job.workers)
    calls = [pool.spawn(job.work, number) for number in job.numbers]
    answers = [call.get() for call in calls]
    pool.kill()
    return answers
