"""Computing and waiting in one call: what wins follows from the two shares."""

import time
from collections.abc import Iterator

REPEATS_PER_MS = 16_000
"""Rounds of the loop below in about a millisecond."""


def numbers() -> Iterator[int]:
    yield from range(200)


def compute(milliseconds: float, number: int) -> int:
    total = number
    for i in range(int(milliseconds * REPEATS_PER_MS)):
        total = (total * 31 + i) % 1_000_003
    return total


def mostly_wait(number: int) -> int:
    time.sleep(0.01)
    return compute(0.3, number)


def wait_three_quarters(number: int) -> int:
    time.sleep(0.009)
    return compute(3, number)


def wait_half(number: int) -> int:
    answer = compute(4, number)
    time.sleep(0.004)
    return answer


def wait_a_tenth(number: int) -> int:
    time.sleep(0.001)
    return compute(9, number)


def wait_seldom(number: int) -> int:
    if number % 20 == 0:
        time.sleep(0.002)
    return compute(6, number)
