"""The jobs of a pool: each reads its part of the data that the pool's processes were given."""

from __future__ import annotations

import os
from _thread import get_ident
from time import perf_counter_ns

TYPE_CHECKING = False
if TYPE_CHECKING:
    Data = list[dict[int, int]]
    Done = tuple[int, int, int, int, int, int]
    """A job's number, its result, when it started and ended, its process and its thread."""

data: Data = []


def receive(given: Data) -> None:
    """Keep the data in this process."""
    globals()["data"] = given


def read(number: int) -> Done:
    """Add up a part of the data."""
    started_ns = perf_counter_ns()
    total = sum(data[number].values())
    return number, total, started_ns, perf_counter_ns(), os.getpid(), get_ident()


def nothing(number: int) -> Done:
    """Return at once."""
    started_ns = perf_counter_ns()
    return number, 0, started_ns, perf_counter_ns(), os.getpid(), get_ident()
