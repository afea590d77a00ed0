"""Two threads with an event loop in each, which does half of the work."""

import asyncio
from threading import Barrier, Thread

from runners.loops_in_threads.workload import Answer, Job, Share, timed

NAME = "a loop in each of two threads"
FAMILY = "threads"
AT_ONCE = "workers"
ONLY = {"kind": ("trees", "connections")}


@timed
def run_loop(share: Share) -> int:
    return asyncio.run(share.work())


def run(job: Job) -> list[Answer]:
    answers: list[Answer] = []
    all_started = Barrier(job.workers)

    def work(share: Share) -> None:
        all_started.wait()
        answers.append(run_loop(share))

    threads = [Thread(target=work, args=(share,)) for share in job.shares]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers
