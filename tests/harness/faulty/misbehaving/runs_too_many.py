"""Does everything at once, though the limit is one. The three wait for each other, however busy the machine."""

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from runners.harness.contract import span_since
from tests.harness.faulty.misbehaving.workload import Answer, Job

FAMILY = "threads"
AT_ONCE = "one"


def run(job: Job) -> list[Answer]:
    together = Barrier(len(job.numbers))

    def work(number: int) -> Answer:
        started_ns = time.perf_counter_ns()
        together.wait()
        return job.work(number)._replace(span=span_since(started_ns))

    with ThreadPoolExecutor(max_workers=len(job.numbers)) as pool:
        return list(pool.map(work, job.numbers))
