"""Threads, each with a queue.Queue of its own in which the token comes."""

from queue import Queue
from threading import Thread

from runners.hand_over.workload import Job

NAME = "threads, queue.Queue"
FAMILY = "threads"


def hand_on(job: Job, number: int, inbox: "Queue[str]", outbox: "Queue[str]") -> None:
    for _ in job.turns:
        token = inbox.get()
        job.take(number)
        outbox.put(token)


def run(job: Job) -> None:
    queues: list[Queue[str]] = [Queue() for _ in job.tasks]
    threads = [
        Thread(target=hand_on, args=(job, number, queues[number], queues[job.after(number)])) for number in job.tasks
    ]
    for thread in threads:
        thread.start()
    queues[0].put("token")
    for thread in threads:
        thread.join()
