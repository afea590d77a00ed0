"""A process for each task, started as this Python does by default; all of them wait for one event."""

import multiprocessing
from multiprocessing import Process, SimpleQueue
from multiprocessing.synchronize import Event

from runners.idle_tasks.workload import Job, Stamp, stamp

NAME = "processes"
FAMILY = "processes"
AT_ONCE = "tasks"
ONLY = {"tasks": (100,)}  # a thousand interpreters want more memory than most machines have


def wait(number: int, stamps: "SimpleQueue[Stamp]", release: Event) -> None:
    stamps.put(stamp(number))
    release.wait()
    stamps.put(stamp(number))


def run(job: Job) -> None:
    job.begin()
    release = multiprocessing.Event()
    stamps: SimpleQueue[Stamp] = SimpleQueue()
    started: list[Process] = []
    try:
        for number in job.numbers:
            process = Process(target=wait, args=(number, stamps, release))
            process.start()
            started.append(process)
        for _ in started:
            job.note_arrival(stamps.get())
        job.look()
    finally:
        release.set()
        for _ in started:
            job.note_leaving(stamps.get())
        for process in started:
            process.join()
    job.end()
