"""Pure Python and C that keeps the GIL: only more processes use a second core."""

import csv
import io
import json
from collections.abc import Iterator


def seeds() -> Iterator[int]:
    yield from range(1, 301)


def pairs_of_texts() -> Iterator[list[str]]:
    for seed in range(300):
        yield ["".join(chr(97 + (seed + i * i) % 26) for i in range(n)) for n in (140, 150)]


def tables() -> Iterator[str]:
    for seed in range(300):
        yield "".join(f"{seed + i},{i / 7:.4f},name{i},{i * seed}\n" for i in range(4_000))


def count_primes(seed: int) -> int:
    start = 200_000 + seed * 40
    return sum(all(n % d for d in range(2, int(n**0.5) + 1)) for n in range(start, start + 3_000))


def parse_csv(table: str) -> float:
    rows = csv.DictReader(io.StringIO(table), fieldnames=["id", "price", "name", "count"])
    return round(sum(float(row["price"]) * int(row["count"]) + len(row["name"]) for row in rows), 3)


def edit_distance(texts: list[str]) -> int:
    first, second = texts
    previous = list(range(len(second) + 1))
    for i, a in enumerate(first, 1):
        current = [i]
        for j, b in enumerate(second, 1):
            current.append(min(previous[j] + 1, current[-1] + 1, previous[j - 1] + (a != b)))
        previous = current
    return previous[-1]


def encode_json(seed: int) -> int:
    record = {"id": seed, "tags": ["a", "b"] * 40, "scores": {str(i): i / 3 for i in range(200)}}
    return sum(len(json.dumps(json.loads(json.dumps(record)))) for _ in range(60))


def multiply_big_numbers(seed: int) -> int:
    small: int = (seed + 2) ** 60_000 % 1_000_003
    return small + len(bin((seed + 3) ** 120_000))
