"""Work that some models cannot be given: each is refused by name, and the others are measured."""

import threading
import time
from collections.abc import Callable, Iterator

import mixed


def functions() -> Iterator[Callable[[], int]]:
    for number in range(100):
        yield lambda number=number: number * 2  # type: ignore[misc]


def locks() -> Iterator[object]:
    for _ in range(100):
        yield threading.Lock()


def call_later(function: Callable[[], int]) -> int:
    time.sleep(0.015)
    return function()


def compute_with_lock(lock: threading.Lock) -> int:
    with lock:
        return mixed.compute(7.5, 7)
