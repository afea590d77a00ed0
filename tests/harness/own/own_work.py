"""Functions to measure: what they do is known beforehand."""

import asyncio
import os
import random
import sys
import threading
import time
from collections.abc import Coroutine, Iterator
from importlib import import_module
from pathlib import Path

Times = tuple[int, int]
SECRET = "x7-secret-item"  # noqa: S105 - none
prepared: list[int] = []
callers: set[int] = set()
current = 0
ticket = 0


def spans() -> Iterator[int]:
    yield from range(12)


def sleep(_: int) -> Times:
    """Return when it began and ended, for all processes by one clock."""
    begun_ns = time.perf_counter_ns()
    time.sleep(0.05)
    return begun_ns, time.perf_counter_ns()


async def sleep_in_loop(_: int) -> Times:
    begun_ns = time.perf_counter_ns()
    await import_module("anyio").sleep(0.05)
    return begun_ns, time.perf_counter_ns()


def sleep_in_greenlet(_: int) -> Times:
    begun_ns = time.perf_counter_ns()
    import_module("gevent").sleep(0.05)
    return begun_ns, time.perf_counter_ns()


def square(number: int) -> int:
    return number * number


def without_items() -> int:
    return 7


async def block_loop(number: int) -> int:
    await asyncio.sleep(0.02)
    time.sleep(0.04)  # noqa: ASYNC251
    return number


async def square_later(number: int) -> int:
    await import_module("anyio.lowlevel").checkpoint()
    return number * number


def prepare() -> None:
    prepared.append(threading.get_ident())


def needs_preparation(number: int) -> int:
    assert prepared
    return number


def overwrite(number: int) -> int:
    """Give a wrong answer if another call comes between: a race."""
    global current  # noqa: PLW0603 - that is the race
    current = number
    time.sleep(0.002)
    return current


def fail_in_threads(item: str) -> int:
    """Compute for long enough to be tried in threads, which it can't run in."""
    if threading.current_thread() is not threading.main_thread():
        raise KeyError(item)
    return sum(range(50_000 + len(item)))


def count_callers(_: int) -> int:
    """Return how many processes have called it: one, unless a forked process inherits an earlier call."""
    callers.add(os.getpid())
    return len(callers)


def draw(_: int) -> int:
    """Return another answer each time, unless the tickets are reset."""
    global ticket  # noqa: PLW0603 - what --reset is for
    ticket += 1
    return ticket


def start_again() -> None:
    global ticket  # noqa: PLW0603 - what --reset is for
    ticket = 0


def draw_at_random(_: int) -> float:
    return random.random()  # noqa: S311 - no secret


def is_near(first: float, second: float) -> bool:
    return abs(first - second) <= 1


def die_in_threads(item: str) -> int:
    """Print the item and end the process, unless it is the loop's: those run in the main thread."""
    if threading.current_thread() is not threading.main_thread():
        sys.stderr.write(item)
        sys.stderr.flush()
        os._exit(3)
    return len(item)


def fail(_: str) -> None:
    raise ValueError(SECRET)


def secrets() -> Iterator[str]:
    yield from (f"{SECRET}-{number}" for number in range(12))


def locks() -> Iterator[object]:
    for _ in range(5):
        yield threading.Lock()


def is_locked(lock: threading.Lock) -> bool:
    return lock.locked()


def answer_with_lock(_: int) -> object:
    return threading.Lock()


def hang(_: int) -> None:
    """Leave a mark for the test, then hang with a child process."""
    Path(os.environ["OWN_WORK_MARKS"], f"{os.getpid()}.process").touch()
    time.sleep(60)


def twice(number: int) -> Iterator[int]:
    yield number


def breaks() -> Iterator[int]:
    yield 1
    raise ValueError


def nothing() -> Iterator[int]:
    yield from ()


def returns_coroutine(number: int) -> Coroutine[None, None, int]:
    return square_later(number)


def returns_generator(number: int) -> Iterator[int]:
    return twice(number)


double = lambda number: 2 * number  # noqa: E731 - what people write
constant = 3
