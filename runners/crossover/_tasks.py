"""The tasks: how each computes and waits. Processes and interpreters import this inside the clock.

Standard library only.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import socket
import time
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from runners.crossover._pages import Page
from runners.harness.contract import Span, span_since

if TYPE_CHECKING:
    from runners.crossover._points import Place

READ_EVERY = 100
"""A process that works for another reads how much memory it holds at its first task, and at each hundredth."""


def looped(turns: int) -> int:
    """Compute in a loop of pure Python."""
    total = 0
    for turn in range(turns):
        total = (total * 31 + turn) % 65_521
    return total


def hashed(turns: int) -> int:
    """Compute in one call of C that lets go of the GIL."""
    return int.from_bytes(hashlib.pbkdf2_hmac("sha256", b"task", b"map", turns)[:4], "big") if turns else 0


def resident_bytes() -> int | None:
    """Return the memory that this process holds; None where the system does not say."""
    try:
        with open("/proc/self/statm", encoding="ascii") as status:  # noqa: PTH123 - pathlib would be imported meanwhile
            return int(status.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return None


class Computed(NamedTuple):
    """What computing gave, and what it has cost the process in which it ran."""

    answer: int
    process_id: int
    cpu_ns: int
    """Processor time of that process since it began."""
    resident_bytes: int | None
    """Its memory, where it is not the process that asked and now and then alone."""


class Done(NamedTuple):
    """A task that is done, and when and where."""

    number: int
    computed: Computed
    span: Span


_calls = count()


class Point(NamedTuple):
    """One point of the map for one sample: so many tasks, all there at once, each of which computes and then waits."""

    place: Place
    tasks: int
    turns: int
    kind: str
    site: str
    """Address of the site that tasks of sockets wait for."""
    process_id: int
    """Of the process that asks for the tasks."""

    def compute(self) -> Computed:
        """Compute as long as a task does: by a loop of pure Python, or by hashing, which lets go of the GIL."""
        answer = hashed(self.turns) if self.kind == "hashing" else looped(self.turns)
        process_id = os.getpid()
        reads = process_id != self.process_id and next(_calls) % READ_EVERY == 0
        return Computed(answer, process_id, time.process_time_ns(), resident_bytes() if reads else None)

    def wait(self) -> None:
        """Wait as long as a task does, and keep the thread."""
        if not self.place.wait_us:
            return
        if self.kind != "sockets":
            time.sleep(self.place.wait_us / 1e6)
            return
        with socket.create_connection(self.address) as connection:
            connection.sendall(self.question)
            while connection.recv(4096):
                pass

    async def wait_in_loop(self) -> None:
        """Wait as long as a task does, and leave the event loop to others."""
        if not self.place.wait_us:
            return
        if self.kind != "sockets":
            await asyncio.sleep(self.place.wait_us / 1e6)
            return
        reader, writer = await asyncio.open_connection(*self.address)
        writer.write(self.question)
        await reader.read()
        writer.close()

    @property
    def address(self) -> tuple[str, int]:
        """Host and port of the site."""
        host, port = self.site.removeprefix("http://").split(":")
        return host, int(port)

    @property
    def question(self) -> bytes:
        """What is sent to the site, so that it answers and closes."""
        return f"GET {Page(self.place.wait_us).path} HTTP/1.1\r\nHost: site\r\nConnection: close\r\n\r\n".encode()

    def task(self, number: int) -> Done:
        """Do one task from its start to its end in this thread."""
        started_ns = time.perf_counter_ns()
        computed = self.compute()
        self.wait()
        return Done(number, computed, span_since(started_ns))
