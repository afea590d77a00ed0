"""gevent's pool of threads, one power a call: the hub's greenlet waits while true threads work."""

from gevent.threadpool import ThreadPool

from runners.power.workload import Answer, Job

NAME = "gevent thread pool"
FAMILY = "gevent"
AT_ONCE = "workers"


def run(job: Job) -> list[Answer]:
    pool = ThreadPool(job.cores)
    calls = [pool.spawn(job.work, number) for number in job.numbers]
    answers = [call.get() for call in calls]
    pool.kill()
    return answers
