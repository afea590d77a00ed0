"""A process for each power, no pool; the answers come back over a queue."""

from multiprocessing import Process, SimpleQueue

from runners.power.workload import Answer, Job

NAME = "processes, one a power"
FAMILY = "processes"
AT_ONCE = "jobs"


def answer(job: Job, number: int, answers: "SimpleQueue[Answer]") -> None:
    answers.put(job.work(number))


def run(job: Job) -> list[Answer]:
    answers: SimpleQueue[Answer] = SimpleQueue()
    processes = [Process(target=answer, args=(job, number, answers)) for number in job.numbers]
    for process in processes:
        process.start()
    received = [answers.get() for _ in processes]
    for process in processes:
        process.join()
    return received
