"""Items that take unequal time: the longest bounds what more workers can win."""

import time
from collections.abc import Iterator


def longest_dominates() -> Iterator[int]:
    for i in range(12):
        yield 3_000_000 if i == 2 else 8_000


def few_long() -> Iterator[int]:
    for i in range(400):
        yield 600_000 if i % 20 == 3 else 60_000


def longest_last() -> Iterator[int]:
    for i in range(200):
        yield 20_000 + 1_500 * i


def waits() -> Iterator[float]:
    for i in range(80):
        yield 0.15 if i == 4 else 0.006


def compute(rounds: int) -> int:
    total = 0
    for i in range(rounds):
        total = (total * 31 + i) % 1_000_003
    return total


def wait(seconds: float) -> float:
    time.sleep(seconds)
    return seconds
