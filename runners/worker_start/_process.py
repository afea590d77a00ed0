"""A process that answers through a pipe; how it is started is the only difference between its runners."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.worker_start._answers import serve

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.context import BaseContext

    from runners.worker_start._answers import Answer


class Worker:
    def __init__(self, context: BaseContext, answer: Callable[[int], Answer]) -> None:
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs, answer))  # type: ignore[attr-defined]
        self.process.start()

    def ask(self, number: int) -> None:
        self.pipe.send(number)

    def answer(self) -> Answer:
        answer: Answer = self.pipe.recv()
        return answer

    def end(self) -> None:
        self.pipe.send(None)
        self.process.join()
        self.pipe.close()


def start_server(context: BaseContext) -> None:
    """Start the fork server, and wait until it has forked a first process."""
    process = context.Process()  # type: ignore[attr-defined]
    process.start()
    process.join()
