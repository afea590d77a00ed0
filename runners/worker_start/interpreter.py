"""A sub-interpreter that a thread calls for each answer; the thread is asked and answers through a queue each."""

from __future__ import annotations

from concurrent import interpreters  # type: ignore[attr-defined]  # new in 3.14
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from runners.worker_start._answers import Answer
    from runners.worker_start.workload import Job

NAME = "interpreter in a thread"
FAMILY = "interpreters"
AT_ONCE = "workers"
REQUIRES_PYTHON = "3.14"
ONLY = {"kind": ("worker",)}


class Worker:
    def __init__(self, answer: Callable[[int], Answer]) -> None:
        self.questions: SimpleQueue[int | None] = SimpleQueue()
        self.answers: SimpleQueue[Answer | Exception] = SimpleQueue()
        self.thread = Thread(target=self.work, args=(answer,))
        self.thread.start()

    def work(self, answer: Callable[[int], Answer]) -> None:
        interpreter = interpreters.create()
        try:
            while (number := self.questions.get()) is not None:
                self.answers.put(interpreter.call(answer, number))
        except interpreters.ExecutionFailed as error:
            self.answers.put(error)
        interpreter.close()

    def ask(self, number: int) -> None:
        self.questions.put(number)

    def answer(self) -> Answer:
        answer = self.answers.get()
        if isinstance(answer, Exception):
            raise answer
        return answer

    def end(self) -> None:
        self.questions.put(None)
        self.thread.join()


def run(job: Job) -> None:
    job.employ(Worker)
