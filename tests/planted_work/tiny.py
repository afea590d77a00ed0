"""Calls of a microsecond: handing one over to a thread takes ten times as long."""

from collections.abc import Iterator

PRICES = {f"item{i}": i / 4 for i in range(1_000)}


def numbers() -> Iterator[int]:
    yield from range(2_000)


def names() -> Iterator[str]:
    for i in range(2_000):
        yield f"item{i % 1_000}"


def double(number: int) -> int:
    return number * 2


def look_up(name: str) -> float:
    return PRICES[name]
