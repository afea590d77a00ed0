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
"""If memory is measured, a worker process reads its own at its first task and at each hundredth after that."""


def looped(turns: int) -> int:
    """Compute in a loop of pure Python."""
    total = 0
    for turn in range(turns):
        total = (total * 31 + turn) % 65_521
    return total


def hashed(turns: int) -> int:
    """Compute in one call of C that lets go of the GIL."""
    return int.from_bytes(hashlib.pbkdf2_hmac("sha256", b"task", b"map", turns)[:4], "big") if turns else 0


def proportional_bytes() -> int | None:
    """Return this process's memory, of shared pages only its share (PSS); None if the system does not report it."""
    try:
        with open("/proc/self/smaps_rollup", encoding="ascii") as lines:  # noqa: PTH123 - pathlib is not imported yet
            return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), None)
    except OSError:
        return None


class Computed(NamedTuple):
    """What computing gave, and what it has cost the process in which it ran."""

    answer: int
    process_id: int
    cpu_ns: int
    """Processor time of that process since it began."""
    worker_bytes: int | None
    """Memory of a worker process, if this task read it."""


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
    chunk: int
    """Tasks to send to a pool at once, for models that send several: a quarter of a worker's share."""

    def compute(self) -> Computed:
        """Compute as long as a task does: by a loop of pure Python, or by hashing, which lets go of the GIL."""
        answer = hashed(self.turns) if self.kind == "hashing" else looped(self.turns)
        process_id = os.getpid()
        is_worker = self.kind == "memory" and process_id != self.process_id
        reads = is_worker and next(_calls) % READ_EVERY == 0
        return Computed(answer, process_id, time.process_time_ns(), proportional_bytes() if reads else None)

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
