"""Asks a server for answers and times them: one load generator for every server and cell.

Closed loop, as Apache Bench has it without keep-alive: `at_once` slots, each of which makes a request over a new
connection, reads until the server closes it, and at once makes the next. The connections are plain sockets that are all
watched in one thread. No library stands between, for what the generator costs is taken from the server on the same
host: a request costs 0.17 ms of processor time here, 0.28 ms with asyncio's sockets (which found 6 % fewer requests a
second) and 0.5 ms with aiohttp's client (which does not say when it had connected). Our side.
"""

from __future__ import annotations

import errno
import math
import re
import selectors
import socket
import time
from collections import Counter
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

if TYPE_CHECKING:
    from runners.harness.contract import Parameters, Value

Failure = Literal["connect_failed", "timed_out", "broken_off", "wrong_answer"]

REQUEST = b"GET / HTTP/1.0\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
LONGEST_ANSWER_BYTES = 65536
UNDER_WAY = (0, errno.EINPROGRESS, errno.EWOULDBLOCK)
_STATUS_LINE = re.compile(rb"HTTP/1\.[01] (\d{3})[ \r]")
_CONTENT_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d+)[ \t]*(?:\r\n|$)", re.IGNORECASE)


@dataclass(frozen=True)
class Load:
    """What to ask of a server."""

    at_once: int
    """The most requests in flight; each begins when a slot is free."""
    requests: int
    timeout_s: float
    """A request that has no whole answer after this has failed."""


class Answer(NamedTuple):
    """One right answer."""

    latency_ns: int
    """From the request's start to the end of the connection."""
    connect_ns: int
    receive_ns: int
    """From its first byte to the end of the connection."""


def fault(received: bytes) -> Failure | None:
    """Return what is wrong with an answer; None where it is an HTTP/1.x 200 with an empty body."""
    head, end_of_head, body = received.partition(b"\r\n\r\n")
    if not end_of_head:
        return "broken_off" if len(received) < LONGEST_ANSWER_BYTES else "wrong_answer"
    status, length = _STATUS_LINE.match(head + b"\r"), _CONTENT_LENGTH.search(head)
    if status is None or status[1] != b"200" or body:
        return "wrong_answer"
    return "broken_off" if length is not None and int(length[1]) else None


class _Connection:
    """One request under way."""

    def __init__(self, started_ns: int) -> None:
        self.started_ns = started_ns
        self.connected_ns = self.first_ns = 0
        self.received = bytearray()
        self.socket = socket.socket()
        self.socket.setblocking(False)  # noqa: FBT003 - the standard library's own signature


class Connections:
    """Makes the requests of one load, all in this thread. What came of them is in its public attributes."""

    def __init__(self, port: int, load: Load) -> None:
        """Get ready to put *load* on the server at *port* of this host."""
        self._address = ("127.0.0.1", port)
        self._load = load
        self._left = load.requests
        self._selector = selectors.DefaultSelector()
        self._open: dict[_Connection, None] = {}
        """In the order in which they were started, and so in the order of their time limits."""
        self.answers: list[Answer] = []
        """In the order in which they ended."""
        self.failures: Counter[Failure] = Counter()
        self.received_bytes = self.peak_in_flight = 0
        self.elapsed_ns = 0
        """From the first request's start to the last one's end."""
        self.cpu_ns = 0
        """Processor time of the load generator itself."""
        self.late_ns = 0
        """The longest that an answer may have waited for the load generator: the longest time between two looks."""

    def make(self, deadline_s: float) -> None:
        """Make all requests. Those that fail are counted, never raised.

        Raises TimeoutError once time.monotonic() has passed *deadline_s*, late by at most a request's time limit.
        """
        cpu_ns = time.thread_time_ns()
        turn_ns = started_ns = time.perf_counter_ns()
        with self._selector:
            self._start()
            while self._open:
                if time.monotonic() > deadline_s:
                    for connection in self._open:
                        connection.socket.close()
                    raise TimeoutError
                timeout_s = self._until_next_limit()
                self.late_ns = max(self.late_ns, time.perf_counter_ns() - turn_ns)
                events = self._selector.select(timeout_s)
                turn_ns = time.perf_counter_ns()
                for key, _ in events:
                    self._go_on(key.data)
                self._give_up(time.perf_counter_ns() - round(self._load.timeout_s * 1e9))
                self._start()
        self.elapsed_ns = time.perf_counter_ns() - started_ns
        self.cpu_ns = time.thread_time_ns() - cpu_ns

    def _start(self) -> None:
        """Start a request for each slot that is free."""
        while self._left and len(self._open) < self._load.at_once:
            self._left -= 1
            connection = _Connection(time.perf_counter_ns())
            self._open[connection] = None
            self.peak_in_flight = max(self.peak_in_flight, len(self._open))
            self._selector.register(connection.socket, selectors.EVENT_WRITE, connection)
            if connection.socket.connect_ex(self._address) not in UNDER_WAY:
                self._end(connection, "connect_failed")

    def _until_next_limit(self) -> float:
        """Return the seconds until the time limit of the request that was started first passes."""
        limit_ns = next(iter(self._open)).started_ns + round(self._load.timeout_s * 1e9)
        return max(limit_ns - time.perf_counter_ns(), 0) / 1e9

    def _go_on(self, connection: _Connection) -> None:
        """Do what *connection* is ready for."""
        try:
            if connection.connected_ns:
                self._read(connection)
            elif connection.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
                self._end(connection, "connect_failed")
            else:
                connection.connected_ns = time.perf_counter_ns()
                connection.socket.send(REQUEST)  # far shorter than what a fresh connection takes in one go
                self._selector.modify(connection.socket, selectors.EVENT_READ, connection)
        except OSError:
            self._end(connection, "broken_off")

    def _read(self, connection: _Connection) -> None:
        try:
            chunk = connection.socket.recv(LONGEST_ANSWER_BYTES)
        except BlockingIOError:  # it was not ready after all
            return
        now_ns = time.perf_counter_ns()
        connection.first_ns = connection.first_ns or now_ns
        connection.received += chunk
        self.received_bytes += len(chunk)
        if not chunk or len(connection.received) >= LONGEST_ANSWER_BYTES:
            self._end(connection, fault(bytes(connection.received)), now_ns)

    def _end(self, connection: _Connection, failure: Failure | None, ended_ns: int = 0) -> None:
        self._selector.unregister(connection.socket)
        connection.socket.close()
        del self._open[connection]
        if failure is not None:
            self.failures[failure] += 1
            return
        connect_ns = connection.connected_ns - connection.started_ns
        self.answers.append(Answer(ended_ns - connection.started_ns, connect_ns, ended_ns - connection.first_ns))

    def _give_up(self, started_before_ns: int) -> None:
        for connection in [*takewhile(lambda each: each.started_ns <= started_before_ns, self._open)]:
            self._end(connection, "timed_out")


def load_of(parameters: Parameters) -> Load:
    """Return the load that a case's parameters ask for: at_once, requests, timeout_s."""
    return Load(int(parameters["at_once"]), int(parameters["requests"]), float(parameters["timeout_s"]))


def measure(port: int, load: Load, deadline_s: float = math.inf) -> Connections:
    """Put *load* on the server at *port* of this host; what came of it is in the attributes of what is returned.

    Raises TimeoutError where the load is not over by *deadline_s* of time.monotonic().
    """
    connections = Connections(port, load)
    connections.make(deadline_s)
    return connections


def columns(measured: Connections) -> dict[str, Value]:
    """Return the raw columns of a sample. Latencies ascend, each given as its difference to the one before.

    So do connect times, apart from them: which request took which time to connect is not kept.
    """
    answers = measured.answers
    values: dict[str, Value] = {
        "elapsed_ns": measured.elapsed_ns,
        "completed_count": len(answers),
        "failed_count": sum(measured.failures.values()),
        "latency_all_us": sum(_us(answer.latency_ns) for answer in answers),
        "latency_steps_us": _steps([_us(answer.latency_ns) for answer in answers]),
        "connect_steps_us": _steps([_us(answer.connect_ns) for answer in answers]),
        "receive_all_us": _us(sum(answer.receive_ns for answer in answers)),
        "receive_worst_us": _us(max((answer.receive_ns for answer in answers), default=0)),
        "received_bytes": measured.received_bytes,
        "load_cpu_ns": measured.cpu_ns,
        "load_late_us": _us(measured.late_ns),
        "load_peak_in_flight_count": measured.peak_in_flight,
    }
    return values | {f"{failure}_count": measured.failures.get(failure, 0) for failure in get_args(Failure)}


def _steps(values: list[int]) -> list[int] | None:
    """Return *values* in ascending order, each as its difference to the one before; None where there are none."""
    if not values:
        return None
    ascending = sorted(values)
    return [after - before for before, after in zip([0, *ascending], ascending, strict=False)]


def _us(duration_ns: int) -> int:
    return round(duration_ns / 1000)
