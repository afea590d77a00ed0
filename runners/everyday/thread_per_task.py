"""A thread for each item, no pool."""

from threading import Thread

from runners.everyday.workload import Answer, Item, Job

NAME = "thread per task"
FAMILY = "threads"
AT_ONCE = "items"
ONLY = {"kind": ("call", "query")}


def run(job: Job) -> list[Answer]:
    answers: list[Answer] = []

    def work(item: Item) -> None:
        answers.append(job.work(item))

    threads = [Thread(target=work, args=(item,)) for item in job.items]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers
