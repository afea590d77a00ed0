"""Asks a server for answers and times them: one load generator for every server and cell.

Closed loop, as Apache Bench has it without keep-alive: `at_once` slots, each of which makes a request over a new
connection, reads until the server closes it, and at once makes the next. With a rate it is an open loop: requests fall
due on a schedule fixed beforehand and their latency counts from then, whether or not a slot was free. Runs on our own
Python; the sockets are plain ones on an event loop: aiohttp's client took 1.6 times the processor time a request, and
hides when it had connected.
"""

from __future__ import annotations

import asyncio
import random
import re
import selectors
import socket
import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from runners.harness.contract import Parameters, Value

Failure = Literal["connect_failed", "timed_out", "broken_off", "wrong_answer"]

REQUEST = b"GET / HTTP/1.0\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
LONGEST_ANSWER_BYTES = 65536
_STATUS_LINE = re.compile(rb"HTTP/1\.[01] (\d{3})[ \r]")
_CONTENT_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d+)[ \t]*(?:\r\n|$)", re.IGNORECASE)


@dataclass(frozen=True)
class Load:
    """What to ask of a server."""

    at_once: int
    """The most requests in flight."""
    requests: int
    timeout_s: float
    """A request that has no whole answer after this has failed."""
    seed: int
    """Draws the schedule of an open loop; a closed loop draws nothing."""
    rate_per_s: float | None = None
    """Mean rate at which requests fall due, at random; None: each when a slot is free."""


class Answer(NamedTuple):
    """One right answer."""

    latency_ns: int
    """From the request's start (in an open loop: from when it fell due) to the end of the connection."""
    connect_ns: int
    receive_ns: int
    """From its first byte to the end of the connection."""


@dataclass(frozen=True)
class Measured:
    """What came of a load."""

    answers: tuple[Answer, ...]
    """In the order in which they ended."""
    failures: Mapping[Failure, int]
    received_bytes: int
    elapsed_ns: int
    """From the first request's start to the last one's end."""
    cpu_ns: int
    """Processor time of the load generator itself."""
    late_ns: int
    """The longest that an answer or a due request may have waited for the load generator: its event loop's longest
    turn, or the worst delay of a scheduled request for which a slot was free."""
    peak_in_flight: int


def load_of(parameters: Parameters, seed: int) -> Load:
    """Return the load that a case's parameters ask for: at_once, requests, timeout_s and, if given, rate_per_s."""
    rate_per_s = float(parameters["rate_per_s"]) if "rate_per_s" in parameters else None
    return Load(
        int(parameters["at_once"]), int(parameters["requests"]), float(parameters["timeout_s"]), seed, rate_per_s
    )


def measure(port: int, load: Load) -> Measured:
    """Put *load* on the server at *port* of this host. Failed requests are counted, never raised."""
    selector = _TimedSelector()
    with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(selector)) as runner:
        generator = _Generator(port, runner.get_loop())
        cpu_ns = time.thread_time_ns()
        elapsed_ns = runner.run(generator.make(load))
        cpu_ns = time.thread_time_ns() - cpu_ns
    return Measured(
        answers=tuple(generator.answers),
        failures=dict(generator.failures),
        received_bytes=generator.received_bytes,
        elapsed_ns=elapsed_ns,
        cpu_ns=cpu_ns,
        late_ns=max(selector.longest_turn_ns, generator.late_ns),
        peak_in_flight=generator.peak_in_flight,
    )


def columns(measured: Measured) -> dict[str, Value]:
    """Return the raw columns of a sample. Latencies ascend, each given as its difference to the one before.

    Connect times stand in the latencies' order, rounded to the millisecond as Apache Bench prints them: a loopback
    connection takes 0.1 ms, and a fifth of the record's size is not worth telling that for each.
    """
    answers = sorted(measured.answers)
    latencies_us = [_us(answer.latency_ns) for answer in answers]
    values: dict[str, Value] = {
        "elapsed_ns": measured.elapsed_ns,
        "completed_count": len(answers),
        "failed_count": sum(measured.failures.values()),
        "latency_steps_us": [after - before for before, after in zip([0, *latencies_us], latencies_us, strict=False)],
        "connect_us": [round(answer.connect_ns / 1e6) * 1000 for answer in answers],
        "receive_all_us": _us(sum(answer.receive_ns for answer in answers)),
        "receive_worst_us": _us(max((answer.receive_ns for answer in answers), default=0)),
        "received_bytes": measured.received_bytes,
        "load_cpu_ns": measured.cpu_ns,
        "load_late_us": _us(measured.late_ns),
        "load_peak_in_flight_count": measured.peak_in_flight,
    }
    return values | {f"{failure}_count": measured.failures.get(failure, 0) for failure in get_args(Failure)}


def schedule_ns(load: Load) -> list[int | None]:
    """Return when each request falls due, counted from the start; None: as soon as a slot is free."""
    if load.rate_per_s is None:
        return [None] * load.requests
    draw = random.Random(load.seed)  # noqa: S311 - arrivals, not secrets
    due_ns: list[int | None] = []
    passed_s = 0.0
    for _ in range(load.requests):
        due_ns.append(round(passed_s * 1e9))
        passed_s += draw.expovariate(load.rate_per_s)
    return due_ns


def fault(received: bytes) -> Failure | None:
    """Tell what is wrong with all that came over a connection; None: an HTTP/1.x answer of 200 with an empty body."""
    head, found, body = received.partition(b"\r\n\r\n")
    if not found:
        return "broken_off" if len(received) < LONGEST_ANSWER_BYTES else "wrong_answer"
    status, length = _STATUS_LINE.match(head + b"\r"), _CONTENT_LENGTH.search(head)
    if status is None or status[1] != b"200" or body:
        return "wrong_answer"
    return "broken_off" if length is not None and int(length[1]) else None


def _us(duration_ns: int) -> int:
    return round(duration_ns / 1000)


class _TimedSelector(selectors.DefaultSelector):
    """Notes the longest time between two looks at the sockets: no answer waited longer for the load generator."""

    longest_turn_ns = 0
    _looked_ns: int | None = None

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if self._looked_ns is not None:
            self.longest_turn_ns = max(self.longest_turn_ns, time.perf_counter_ns() - self._looked_ns)
        ready = super().select(timeout)
        self._looked_ns = time.perf_counter_ns()
        return ready


class _Generator:
    def __init__(self, port: int, loop: asyncio.AbstractEventLoop) -> None:
        self._address = ("127.0.0.1", port)
        self._loop = loop
        self._in_flight = 0
        self.answers: list[Answer] = []
        self.failures: Counter[Failure] = Counter()
        self.received_bytes = self.late_ns = self.peak_in_flight = 0

    async def make(self, load: Load) -> int:
        """Make all requests; return the elapsed time in ns."""
        started_ns = time.perf_counter_ns()
        due_ns = iter([None if due_ns is None else started_ns + due_ns for due_ns in schedule_ns(load)])
        async with asyncio.TaskGroup() as slots:
            for _ in range(min(load.at_once, load.requests)):
                slots.create_task(self._slot(due_ns, load.timeout_s))
        return time.perf_counter_ns() - started_ns

    async def _slot(self, dues_ns: Iterator[int | None], timeout_s: float) -> None:
        for due_ns in dues_ns:
            started_ns = time.perf_counter_ns() if due_ns is None else await self._wait_until(due_ns)
            answer: Answer | Failure
            self._in_flight += 1
            self.peak_in_flight = max(self.peak_in_flight, self._in_flight)
            try:
                async with asyncio.timeout(timeout_s):
                    answer = await self._ask(started_ns, due_ns or started_ns)
            except TimeoutError:
                answer = "timed_out"
            self._in_flight -= 1
            if isinstance(answer, Answer):
                self.answers.append(answer)
            else:
                self.failures[answer] += 1

    async def _wait_until(self, due_ns: int) -> int:
        free_ns = time.perf_counter_ns()
        if due_ns > free_ns:
            await asyncio.sleep((due_ns - free_ns) / 1e9)
        started_ns = time.perf_counter_ns()
        self.late_ns = max(self.late_ns, started_ns - max(due_ns, free_ns))
        return started_ns

    async def _ask(self, started_ns: int, due_ns: int) -> Answer | Failure:
        with socket.socket() as connection:
            connection.setblocking(False)  # noqa: FBT003 - the standard library's own signature
            try:
                await self._loop.sock_connect(connection, self._address)
            except OSError:  # TimeoutError among them: the system gave up before our time limit
                return "connect_failed"
            connected_ns = time.perf_counter_ns()
            try:
                received, first_ns = await self._exchange(connection)
            except OSError:
                return "broken_off"
            ended_ns = time.perf_counter_ns()
        return fault(received) or Answer(ended_ns - due_ns, connected_ns - started_ns, ended_ns - first_ns)

    async def _exchange(self, connection: socket.socket) -> tuple[bytes, int]:
        await self._loop.sock_sendall(connection, REQUEST)
        received = bytearray()
        first_ns = 0
        while len(received) < LONGEST_ANSWER_BYTES and (chunk := await self._loop.sock_recv(connection, 65536)):
            first_ns = first_ns or time.perf_counter_ns()
            received += chunk
            self.received_bytes += len(chunk)
        return bytes(received), first_ns
