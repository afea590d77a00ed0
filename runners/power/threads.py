"""A thread for each power, no pool."""

from threading import Thread

from runners.power.workload import Answer, Job

NAME = "threads, one a power"
FAMILY = "threads"
AT_ONCE = "jobs"


def run(job: Job) -> list[Answer]:
    answers: list[Answer] = []
    threads = [Thread(target=lambda number: answers.append(job.work(number)), args=(number,)) for number in job.numbers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers
