"""A pool of threads, shut down with what is queued cancelled: what its threads have begun runs on to its end."""

import time
from concurrent.futures import ThreadPoolExecutor

from runners.cancellation.workload import Job

NAME = "thread pool, shut down"
FAMILY = "threads"
AT_ONCE = "default executor"
ONLY = {"clean_up_s": (0.0,)}


def run(job: Job) -> list[int]:
    pool = ThreadPoolExecutor()
    futures = [pool.submit(job.block, number, time.sleep, time.sleep) for number in job.numbers]
    time.sleep(job.lead_s)
    job.cancels()
    pool.shutdown(cancel_futures=True)
    job.goes_on()
    job.all_gone()
    return [number for number, future in enumerate(futures) if future.cancelled()]
