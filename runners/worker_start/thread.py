"""A thread, asked and answering through a queue each."""

from __future__ import annotations

from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from runners.worker_start._answers import Answer
    from runners.worker_start.workload import Job

NAME = "thread"
FAMILY = "threads"
AT_ONCE = "workers"
ONLY = {"kind": ("worker",)}


class Worker:
    def __init__(self, answer: Callable[[int], Answer]) -> None:
        self.questions: SimpleQueue[int | None] = SimpleQueue()
        self.answers: SimpleQueue[Answer] = SimpleQueue()
        self.thread = Thread(target=self.work, args=(answer,))
        self.thread.start()

    def work(self, answer: Callable[[int], Answer]) -> None:
        while (number := self.questions.get()) is not None:
            self.answers.put(answer(number))

    def ask(self, number: int) -> None:
        self.questions.put(number)

    def answer(self) -> Answer:
        return self.answers.get()

    def end(self) -> None:
        self.questions.put(None)
        self.thread.join()


def run(job: Job) -> None:
    job.employ(Worker)
