"""Eight threads, each of which makes and closes one event loop after another, for a coroutine that does nothing."""

import asyncio
from threading import Barrier, Thread

from runners.loops_in_threads.workload import Answer, Job, timed

NAME = "new loops in eight threads"
FAMILY = "threads"
AT_ONCE = "workers"
ONLY = {"kind": ("loops",)}


async def nothing() -> int:
    return 1


@timed
def run_loops(count: int) -> int:
    return sum(asyncio.run(nothing()) for _ in range(count))


def run(job: Job) -> list[Answer]:
    answers: list[Answer] = []
    all_started = Barrier(job.workers)

    def work() -> None:
        all_started.wait()
        answers.append(run_loops(job.amount // job.workers))

    threads = [Thread(target=work) for _ in range(job.workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers
