"""A module that leaves a thread running when it is imported: forking it is unsafe, spawning is not."""

import threading
from collections.abc import Iterator

threading.Thread(target=threading.Event().wait, daemon=True, name="metrics").start()


def numbers() -> Iterator[int]:
    yield from range(200)


def compute(number: int) -> int:
    total = number
    for i in range(160_000):
        total = (total * 31 + i) % 1_000_003
    return total
