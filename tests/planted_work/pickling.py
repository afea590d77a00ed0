"""Large arguments or answers with little to compute: handing them to a process costs more than the work."""

from collections.abc import Iterator


def numbers() -> Iterator[int]:
    yield from range(60)


def lists() -> Iterator[list[float]]:
    for seed in range(40):
        yield [seed + i / 3 for i in range(100_000)]


def grids() -> Iterator[list[list[int]]]:
    for seed in range(40):
        yield [[seed * i + j + 1_000 for j in range(200)] for i in range(200)]


def add_up(values: list[float]) -> float:
    return sum(values)


def make_records(number: int) -> list[dict[str, int]]:
    return [{"id": i, "group": number, "rank": i + 1_000} for i in range(8_000)]


def transpose(grid: list[list[int]]) -> list[tuple[int, ...]]:
    return list(zip(*grid, strict=True))
