"""What a loop does: trees of coroutines, echoes over connections, or nothing; and how its work is timed."""

from __future__ import annotations

import asyncio
import functools
import socket
import time
from typing import TYPE_CHECKING, NamedTuple, ParamSpec

from runners.harness.contract import Span, span_since

if TYPE_CHECKING:
    from collections.abc import Callable

Arguments = ParamSpec("Arguments")

BRANCHES = 6
MESSAGE = b"." * 1_024


class Answer(NamedTuple):
    """How many leaves, echoes or loops there were, and when and where."""

    done: int
    span: Span


def timed(work: Callable[Arguments, int]) -> Callable[Arguments, Answer]:
    """Make *work*, which returns how much it did, return an Answer."""

    @functools.wraps(work)
    def timed_work(*args: Arguments.args, **options: Arguments.kwargs) -> Answer:
        started_ns = time.perf_counter_ns()
        done = work(*args, **options)
        return Answer(done, span_since(started_ns))

    return timed_work


class Share(NamedTuple):
    """What one loop does: trees, each of some depth, or connections, each with some messages."""

    kind: str
    amount: int
    each: int

    async def work(self) -> int:
        """Do it on the running loop, and return how many leaves or echoes there were."""
        if self.kind == "trees":
            return sum([await tree(self.each) for _ in range(self.amount)])
        return await echoes(self.amount, self.each)


async def tree(level: int) -> int:
    """Count the leaves below a coroutine, each of whose children is a task."""
    if level == 0:
        return 1
    return sum(await asyncio.gather(*[tree(level - 1) for _ in range(BRANCHES)]))


async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Send back what a client sends, until it leaves."""
    while data := await reader.read(len(MESSAGE)):
        writer.write(data)
        await writer.drain()
    writer.close()


async def converse(messages: int) -> int:
    """Send *messages* to an echo, each once the one before has come back, and count those that come back unchanged."""
    here, there = socket.socketpair()
    server = asyncio.create_task(echo(*await asyncio.open_connection(sock=there)))
    reader, writer = await asyncio.open_connection(sock=here)
    unchanged = 0
    for _ in range(messages):
        writer.write(MESSAGE)
        unchanged += await reader.readexactly(len(MESSAGE)) == MESSAGE
    writer.close()
    await writer.wait_closed()
    await server
    return unchanged


async def echoes(connections: int, messages: int) -> int:
    """Send *messages* over each of several connections at once. Clients and servers share the loop."""
    return sum(await asyncio.gather(*[converse(messages) for _ in range(connections)]))
