"""A module that leaves a thread running when it is imported: forking it is unsafe, spawning is not."""

import threading
from collections.abc import Iterator

import mixed

threading.Thread(target=threading.Event().wait, daemon=True, name="metrics").start()


def numbers() -> Iterator[int]:
    yield from range(200)


def compute(number: int) -> int:
    return mixed.compute(10, number)
