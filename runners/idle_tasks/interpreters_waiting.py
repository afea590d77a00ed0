"""A sub-interpreter for each task, each called in a thread of its own; all of them wait for the end of one pipe.

They wait for a pipe, since the queue that comes with interpreters looks a hundred times a second whether there is
something in it: who waits for that does not rest.
"""

import os
from concurrent import interpreters  # type: ignore[attr-defined]  # new in 3.14

from runners.idle_tasks.workload import Job, stamp

NAME = "interpreters, each in a thread"
FAMILY = "interpreters"
AT_ONCE = "tasks"
REQUIRES_PYTHON = "3.14"
ONLY = {"tasks": (100,)}  # a thousand interpreters want more memory than most machines have


def wait(number: int, stamps: "interpreters.Queue", release: int) -> None:
    stamps.put(stamp(number))
    os.read(release, 1)
    stamps.put(stamp(number))


def run(job: Job) -> None:
    job.begin()
    stamps = interpreters.create_queue()
    release, write_end = os.pipe()
    started, threads = [], []
    try:
        for number in job.numbers:
            started.append(interpreters.create())
            threads.append(started[-1].call_in_thread(wait, number, stamps, release))
        for _ in threads:
            job.note_arrival(stamps.get())
        job.look()
    finally:
        os.close(write_end)
        for thread in threads:
            thread.join()
        for _ in threads:
            job.note_leaving(stamps.get_nowait())  # before its interpreter is closed: what it has sent goes with it
        for interpreter in started:
            interpreter.close()
        os.close(release)
    job.end()
