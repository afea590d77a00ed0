"""Sends requests to a server and times the answers: the same load generator for every server and build.

In a closed loop, as Apache Bench's without keep-alive, each of `at_once` slots makes a request on a new connection,
reads until the server closes it, and at once makes the next. In an open loop a request is made when it is due, and its
latency counts from then, so nothing that a server does makes the load lighter. Its requests have their own
connections too, as independent visitors do: the loops then differ only in their arrivals, and no request waits for
another's answer.

Plain sockets, watched in one thread, without a library: what the generator costs is taken from the server on the same
host. A request costs 0.17 ms of processor time, against 0.28 ms with asyncio's sockets (6 % fewer requests a second)
and 0.5 ms with aiohttp's client (which doesn't report when it has connected).
"""

from __future__ import annotations

import errno
import math
import re
import select
import selectors
import socket
import time
from collections import Counter
from itertools import takewhile
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from runners.harness.http_load.schedule import Load, Schedule, latency_columns, load_from, schedule_columns

if TYPE_CHECKING:
    from runners.harness.contract import Value

Failure = Literal["connect_failed", "timed_out", "broken_off", "wrong_answer"]

REQUEST = "GET {} HTTP/1.0\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
MAX_ANSWER_BYTES = 65536
MAX_BODY_BYTES = 2**26
"""The longest answer of a user's service."""
MAX_KEPT = 200
"""A closed loop with no more requests than this keeps each latency."""
IN_PROGRESS = (0, errno.EINPROGRESS, errno.EWOULDBLOCK)
__all__ = ["Answer", "Connections", "Load", "answer_failure", "columns", "load_from", "measure"]
_STATUS_LINE = re.compile(rb"HTTP/1\.[01] (\d{3})[ \r]")
_CONTENT_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d+)[ \t]*(?:\r\n|$)", re.IGNORECASE)


class Answer(NamedTuple):
    """One right answer."""

    latency_ns: int
    """From the request's start or, in an open loop, its due time, to the end of the connection."""
    connect_ns: int
    receive_ns: int
    """From its first byte to the end of the connection."""


def answer_failure(received: bytes, *, may_have_body: bool = False) -> Failure | None:
    """Return what is wrong with an answer; None if it is an HTTP/1.x 200 with an empty body, or with all of one."""
    head, separator, body = received.partition(b"\r\n\r\n")
    if not separator:
        return "broken_off" if len(received) < MAX_ANSWER_BYTES else "wrong_answer"
    status, length = _STATUS_LINE.match(head + b"\r"), _CONTENT_LENGTH.search(head)
    if status is None or status[1] != b"200" or (body and not may_have_body):
        return "wrong_answer"
    return "broken_off" if length is not None and int(length[1]) > len(body) else None


class _Connection:
    def __init__(self, due_ns: int, started_ns: int) -> None:
        self.due_ns = due_ns
        self.started_ns = started_ns
        self.connected_ns = self.first_ns = 0
        self.received = bytearray()
        self.socket = socket.socket()
        self.socket.setblocking(False)  # noqa: FBT003 - the standard library's own signature


class Connections:
    """Makes the requests of one load in this thread. Its public attributes hold the outcome."""

    def __init__(self, port: int, load: Load) -> None:
        self._address = ("127.0.0.1", port)
        self.load = load
        self._request = REQUEST.format(load.path or "/").encode()
        self._most_bytes = MAX_BODY_BYTES if load.path else MAX_ANSWER_BYTES
        self.schedule = Schedule(load, 0)
        self._selector = selectors.DefaultSelector()
        self._open: dict[_Connection, None] = {}
        """In the order of their due times, and so of their time limits."""
        self.answers: list[Answer] = []
        self.failures: Counter[Failure] = Counter()
        self.received_bytes = self.peak_in_flight = 0
        self.elapsed_ns = 0
        """From the first request's start to the last one's end."""
        self.cpu_ns = 0
        self.late_ns = 0
        """The longest time between two looks at the sockets: an answer may have waited for it."""

    def make(self, deadline_s: float) -> None:
        """Make all requests. Failed ones are counted, never raised.

        Raises TimeoutError once time.monotonic() has passed *deadline_s*, late by at most a request's time limit.
        """
        cpu_ns = time.thread_time_ns()
        turn_ns = started_ns = time.perf_counter_ns()
        self.schedule = Schedule(self.load, started_ns)
        with self._selector:
            self._start_due()
            while self._open or not self.schedule.is_over:
                if time.monotonic() > deadline_s:
                    for connection in self._open:
                        connection.socket.close()
                    raise TimeoutError
                timeout_s = self._until_next()
                self.late_ns = max(self.late_ns, time.perf_counter_ns() - turn_ns)
                events = self._wait(timeout_s)
                turn_ns = time.perf_counter_ns()
                for key, _ in events:
                    self._continue(key.data)
                    if self.load.rate_per_s:
                        self._start_due()  # many ready connections must not delay a request that is due
                self._time_out(time.perf_counter_ns() - self.load.timeout_ns)
                self._start_due()
        self.elapsed_ns = time.perf_counter_ns() - started_ns
        self.cpu_ns = time.thread_time_ns() - cpu_ns

    def _start_due(self) -> None:
        while not self.schedule.is_over and len(self._open) < self.load.at_once:
            now_ns = time.perf_counter_ns()
            if self.schedule.next_ns(now_ns) > now_ns:
                return
            due_ns = self.schedule.take(now_ns)
            if now_ns - due_ns >= self.load.timeout_ns:  # before it had a slot
                self.failures["timed_out"] += 1
            else:
                self._connect(due_ns, now_ns)

    def _connect(self, due_ns: int, now_ns: int) -> None:
        try:
            connection = _Connection(due_ns, now_ns)
        except OSError:  # no more files may be open
            self.failures["connect_failed"] += 1
            return
        self._open[connection] = None
        self.peak_in_flight = max(self.peak_in_flight, len(self._open))
        self._selector.register(connection.socket, selectors.EVENT_WRITE, connection)
        if connection.socket.connect_ex(self._address) not in IN_PROGRESS:
            self._end(connection, "connect_failed")

    def _until_next(self) -> float:
        """Return the seconds until the first time limit passes, or a request is due and has a slot."""
        now_ns = time.perf_counter_ns()
        until_ns = [connection.due_ns + self.load.timeout_ns for connection in [*self._open][:1]]
        if not self.schedule.is_over and len(self._open) < self.load.at_once:
            until_ns.append(self.schedule.next_ns(now_ns))
        return max(min(until_ns) - now_ns, 0) / 1e9

    def _wait(self, timeout_s: float) -> list[tuple[selectors.SelectorKey, int]]:
        """Wait until a connection is ready, or for *timeout_s*.

        On Linux epoll waits whole milliseconds, which would make each request of an open loop late, so select, which
        waits microseconds, watches the epoll object. Windows has no such object, and raises if nothing is registered.
        """
        if not self.load.rate_per_s or not hasattr(self._selector, "fileno"):
            if not self._open:
                time.sleep(timeout_s)
                return []
            return self._selector.select(timeout_s)
        select.select([self._selector], [], [], timeout_s)
        return self._selector.select(0)

    def _continue(self, connection: _Connection) -> None:
        try:
            if connection.connected_ns:
                self._read(connection)
            elif connection.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
                self._end(connection, "connect_failed")
            else:
                connection.connected_ns = time.perf_counter_ns()
                connection.socket.send(self._request)  # far shorter than a new connection's buffer
                self._selector.modify(connection.socket, selectors.EVENT_READ, connection)
        except OSError:
            self._end(connection, "broken_off")

    def _read(self, connection: _Connection) -> None:
        try:
            chunk = connection.socket.recv(MAX_ANSWER_BYTES)
        except BlockingIOError:  # it was not ready after all
            return
        now_ns = time.perf_counter_ns()
        connection.first_ns = connection.first_ns or now_ns
        connection.received += chunk
        self.received_bytes += len(chunk)
        if not chunk or len(connection.received) >= self._most_bytes:
            failure = answer_failure(bytes(connection.received), may_have_body=bool(self.load.path))
            self._end(connection, failure, now_ns)

    def _end(self, connection: _Connection, failure: Failure | None, ended_ns: int = 0) -> None:
        self._selector.unregister(connection.socket)
        connection.socket.close()
        if len(self._open) == self.load.at_once:
            self.schedule.free_slot(time.perf_counter_ns())
        del self._open[connection]
        if failure is not None:
            self.failures[failure] += 1
            return
        connect_ns = connection.connected_ns - connection.started_ns
        self.answers.append(Answer(ended_ns - connection.due_ns, connect_ns, ended_ns - connection.first_ns))

    def _time_out(self, due_before_ns: int) -> None:
        for connection in [*takewhile(lambda each: each.due_ns <= due_before_ns, self._open)]:
            self._end(connection, "timed_out")


def measure(port: int, load: Load, deadline_s: float = math.inf) -> Connections:
    """Send *load* to the server at *port* of this host, and return the outcome.

    Raises TimeoutError if the load isn't over at *deadline_s* of time.monotonic().
    """
    connections = Connections(port, load)
    connections.make(deadline_s)
    return connections


def columns(measured: Connections) -> dict[str, Value]:
    """Return the raw columns of a sample.

    Latencies are sorted, each given as its difference from the one before; so are connect times, separately. An open
    loop, or one with more than MAX_KEPT requests, keeps percentiles instead.
    """
    answers, latencies_ns = measured.answers, [answer.latency_ns for answer in measured.answers]
    values: dict[str, Value] = {
        "elapsed_ns": measured.elapsed_ns,
        "completed_count": len(answers),
        "failed_count": sum(measured.failures.values()),
        "receive_all_us": _us(sum(answer.receive_ns for answer in answers)),
        "receive_worst_us": _us(max((answer.receive_ns for answer in answers), default=0)),
        "received_bytes": measured.received_bytes,
        "load_cpu_ns": measured.cpu_ns,
        "load_late_us": _us(measured.late_ns),
        "load_peak_in_flight_count": measured.peak_in_flight,
    }
    if measured.load.rate_per_s or measured.load.requests > MAX_KEPT:
        values |= latency_columns(measured.load, latencies_ns)
    else:
        values["latency_all_us"] = sum(map(_us, latencies_ns))
        values["latency_steps_us"] = _steps([*map(_us, latencies_ns)])
        values["connect_steps_us"] = _steps([_us(answer.connect_ns) for answer in answers])
    values |= schedule_columns(measured.schedule)
    return values | {f"{failure}_count": measured.failures.get(failure, 0) for failure in get_args(Failure)}


def _steps(values: list[int]) -> list[int] | None:
    if not values:
        return None
    ascending = sorted(values)
    return [after - before for before, after in zip([0, *ascending], ascending, strict=False)]


def _us(duration_ns: int) -> int:
    return round(duration_ns / 1000)
