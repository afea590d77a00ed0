"""Threads, each with an event of its own that says that the token is there."""

from threading import Event, Thread

from runners.hand_over.workload import Job

NAME = "threads, events"
FAMILY = "threads"


def hand_on(job: Job, number: int, mine: Event, next_one: Event) -> None:
    for _ in job.turns:
        mine.wait()
        mine.clear()
        job.take(number)
        next_one.set()


def run(job: Job) -> None:
    events = [Event() for _ in job.tasks]
    threads = [
        Thread(target=hand_on, args=(job, number, events[number], events[job.after(number)])) for number in job.tasks
    ]
    for thread in threads:
        thread.start()
    events[0].set()
    for thread in threads:
        thread.join()
