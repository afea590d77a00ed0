"""The six kinds of work: what a blocking call and a coroutine do with one item, and what is the right answer."""

from __future__ import annotations

import json
import os
import random
import time
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from runners.harness.contract import Span, span_since

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

BLOB_BYTES = 65_536
WORDS = 500
LARGEST_READ_BYTES = 4_096


class Item(NamedTuple):
    """One thing to do, as it is handed to a thread, a process or an interpreter."""

    number: int
    kind: str
    wait_s: float
    """How long it waits first: for an API, a client or a database."""
    turns: int
    """How much pure Python it computes."""
    payload: bytes
    """What it works on: a file's content, a request's body, a path; of the other kinds nothing."""


class Answer(NamedTuple):
    """What came of one item, and when and where."""

    number: int
    result: int
    span: Span


def result_of(item: Item) -> int:
    """Do the computing part of *item*, and what blocks in it but its wait."""
    if item.kind == "compress":
        return len(zlib.compress(item.payload))
    if item.kind == "json":
        return len(json.loads(item.payload))
    if item.kind == "read":
        with open(os.fsdecode(item.payload), "rb") as file:  # noqa: PTH123 - without a Path's own cost
            return len(file.read(LARGEST_READ_BYTES))
    total = 1
    for turn in range(item.turns):
        total = (total * 31 + turn) % 65_521
    return total


def work(item: Item) -> Answer:
    """Do all of *item*; blocks."""
    started_ns = time.perf_counter_ns()
    if item.wait_s:
        time.sleep(item.wait_s)
    return Answer(item.number, result_of(item), span_since(started_ns))


async def work_async(item: Item, compute: Callable[[Item], Awaitable[int]] | None = None) -> Answer:
    """Do all of *item*: its wait without blocking the event loop, the rest on it, or by *compute*."""
    import asyncio  # noqa: PLC0415 - the children of a process pool import this module inside the clock

    started_ns = time.perf_counter_ns()
    if item.wait_s:
        await asyncio.sleep(item.wait_s)
    result = result_of(item) if compute is None else await compute(item)
    return Answer(item.number, result, span_since(started_ns))


def _blobs(count: int, seed: int) -> list[bytes]:
    """Make texts of words that are drawn anew in each: they compress like text."""
    draw = random.Random(seed)  # noqa: S311 - a workload, not a secret
    words = [bytes(draw.choices(b"abcdefghijklmnop", k=draw.randint(3, 9))) for _ in range(WORDS)]
    text = b" ".join(draw.choices(words, k=BLOB_BYTES // 4))
    return [(text[number * 97 :] + text)[:BLOB_BYTES] for number in range(count)]


def _body(rows: int) -> bytes:
    row = {"name": "customer", "tags": ["a", "b", "c"], "total": 12.5, "address": {"street": "High Street", "no": 7}}
    return json.dumps([{"id": number, **row} for number in range(rows)]).encode()


def _paths(count: int) -> list[bytes]:
    """Name files of the standard library: they are there, small, and in the system's cache.

    Where there are fewer they are named again.
    """
    folder = Path(os.__file__).parent
    found = sorted(path for path in [*folder.glob("*.py"), *folder.glob("*/*.py")] if path.is_file())
    return [os.fsencode(found[number % len(found)]) for number in range(count)]


PAYLOADS: dict[str, Callable[[int, int, int], list[bytes]]] = {
    "compress": lambda count, _turns, seed: _blobs(count, seed),
    "json": lambda count, turns, _seed: [_body(turns)] * count,
    "read": lambda count, _turns, _seed: _paths(count),
}
"""By kind: makes what each of so many items works on. `turns` is the size of a request's body, in rows."""


def make_items(kind: str, count: int, wait_s: float, turns: int, seed: int) -> list[Item]:
    """Make the items of a case, outside the clock."""
    payloads = PAYLOADS[kind](count, turns, seed) if kind in PAYLOADS else [b""] * count
    return [Item(number, kind, wait_s, turns, payload) for number, payload in enumerate(payloads)]
