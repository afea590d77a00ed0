"""Calls that wait without the GIL and compute next to nothing: as many threads as calls at once."""

import select
import socket
import subprocess
import time
from collections.abc import Iterator


def numbers() -> Iterator[int]:
    yield from range(100)


def sleep_20ms(number: int) -> int:
    time.sleep(0.02)
    return number * 2


def sleep_3ms(number: int) -> int:
    time.sleep(0.003)
    return number + 1


def select_nothing(number: int) -> int:
    ready, _, _ = select.select([], [], [], 0.015)
    return number + len(ready)


def receive_nothing(number: int) -> str:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.settimeout(0.025)
        try:
            return ours.recv(1).decode()
        except TimeoutError:
            return f"timed out {number}"


def run_sleep(number: int) -> int:
    return subprocess.run(["sleep", "0.1"], check=True).returncode + number  # noqa: S607
