"""Shared state: threads are quick and wrong, which only a comparison of the answers shows."""

import asyncio
import random
import time
from collections.abc import Iterator

tickets = [0]
scratch: list[int] = []
current = {"user": -1}


def numbers() -> Iterator[int]:
    yield from range(200)


def reset() -> None:
    tickets[0] = 0


def draw_ticket(_number: int) -> int:
    last = tickets[0]
    time.sleep(0.004)
    tickets[0] = last + 1
    return tickets[0]


def sum_in_scratch(number: int) -> int:
    scratch.clear()
    for i in range(60_000):
        scratch.append(i * number)  # noqa: PERF401 - in one call there would be no race
    return sum(scratch[:60_000]) + len(scratch)


def greet_current_user(number: int) -> str:
    current["user"] = number
    time.sleep(0.01)
    return f"hello {current['user']}"


def simulate_from_seed(number: int) -> float:
    random.seed(number)
    return sum(random.random() for _ in range(150_000))  # noqa: S311


async def await_current_user(number: int) -> str:
    current["user"] = number
    await asyncio.sleep(0.01)
    return f"hello {current['user']}"
