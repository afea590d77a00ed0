"""The plain loop, in one thread that is started for it.

A second control: it is the same work as the plain loop, and differs in nothing but the thread that does it. A pool of
threads that beats the plain loop and not this one has won by where the loop ran, not by working at several at once.
"""

from threading import Thread

from runners.primes.workload import Answer, Job

NAME = "plain loop, in another thread"
FAMILY = "threads"
AT_ONCE = "one"
ONLY = {"timer": (0,)}


def run(job: Job) -> list[Answer]:
    answers: list[Answer] = []
    thread = Thread(target=lambda: answers.extend([job.work(number) for number in job.numbers]))
    thread.start()
    thread.join()
    return answers
