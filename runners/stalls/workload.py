"""Stalls: the cases, the job of each, and who judges its answers."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from runners.harness.contract import Case, Outcome, Span, span_since
from runners.stalls import _certificates, _orders
from runners.stalls._heart import Heart
from runners.stalls._sessions import Service

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from runners.harness.contract import Parameters, Surroundings, Value

BASELINE = "json_on_loop"

SHORTEST_PAUSE_S = 0.0005
WRITE_S = 0.01
CALLS = 5


def _case(cause: str, baseline: str, requests: int, period_s: float, amount: int) -> Case:
    """Return a case whose requests arrive within about 0.3 s: 200 beats and more."""
    return Case(
        {"size": cause, "requests": requests, "period_s": period_s, "amount": amount},
        warm_up={"requests": 2, "period_s": 0.002, "amount": amount // 100},
        baseline=baseline,
        quick=False,
        memory_bytes=300_000_000 if cause == "live objects" else 0,
    )


CASES = {
    "a million live objects": _case("live objects", "gc_default", 150, 0.0023, 1_000_000),
    "1 MB of JSON": _case("JSON", "json_on_loop", 8, 0.038, 10_000),
    "a slow log": _case("log", "logging_direct", 16, 0.018, 0),
    "TLS set-up": _case("TLS", "tls_context_per_request", 8, 0.038, 140),
    "a call that does nothing": _case("call", "call_on_loop", 200, 0.0014, 0),
}


class SlowStream:
    """A stream, such as a pipe to a log collector that is behind, whose writes block for 10 ms."""

    def __init__(self) -> None:
        """Begin with no line."""
        self.lines: list[str] = []

    def write(self, text: str) -> None:
        """Write a line, slowly."""
        time.sleep(WRITE_S)
        self.lines.append(text)

    def flush(self) -> None:
        """Do nothing: a write is done when it returns."""


class Job:
    """What a runner gets: the requests, the heart that beats meanwhile, and what requests of its case need."""

    def __init__(self, parameters: Parameters) -> None:
        """Prepare what the case's requests need."""
        self.cause = str(parameters["size"])
        self.requests_count = int(parameters["requests"])
        self.period_s = float(parameters["period_s"])
        self.amount = amount = int(parameters["amount"])
        self.heart = Heart()
        self.spans: list[Span] = []
        self.collections: list[int] = []
        self.body = _orders.make_body(amount if self.cause == "JSON" else 0)
        self.stream = SlowStream()
        self.ca_file = ""
        if self.cause == "TLS":
            self.ca_file = str(Path(tempfile.mkdtemp(), "ca.pem"))  # the harness removes a sample's temporary folder
            Path(self.ca_file).write_text(_certificates.make_list(amount), encoding="ascii")
        self.by_request = 1500 if self.cause == "live objects" else 0
        self.service = self._make_service()

    def _make_service(self) -> Service:
        """Make the live objects, half of them sessions, without a collection after each few thousand."""
        sessions = self.amount // 2 if self.cause == "live objects" else 0
        gc.disable()
        try:
            return Service(sessions, self.by_request, requests_kept=24)
        finally:
            gc.enable()

    @contextlib.asynccontextmanager
    async def beating_heart(self) -> AsyncIterator[None]:
        """Let the heart beat on the loop for as long as the context is open, and count full collections."""
        before = _full_collections()
        async with self.heart.beating():
            yield
        self.collections.append(_full_collections() - before)

    async def requests(self) -> AsyncIterator[int]:
        """Yield a number for each request, when it arrives or as soon as the one before is answered."""
        begun = time.perf_counter()
        for number in range(self.requests_count):
            until_due_s = begun + number * self.period_s - time.perf_counter()
            await asyncio.sleep(max(until_due_s, SHORTEST_PAUSE_S))
            started_ns = time.perf_counter_ns()
            yield number
            self.spans.append(span_since(started_ns))

    def expected(self) -> list[int]:
        """Return the right answers."""
        numbers = range(self.requests_count)
        if self.cause == "live objects":
            return [self.by_request for _ in numbers]
        if self.cause == "JSON":
            return [sum(number % 1000 for number in range(self.amount)) for _ in numbers]
        if self.cause == "TLS":
            return [self.amount for _ in numbers]
        return [number * CALLS if self.cause == "call" else number for number in numbers]


def _full_collections() -> int:
    return int(gc.get_stats()[2]["collections"])


def prepare(parameters: Parameters, _surroundings: Surroundings) -> Job:
    """Make the job of one case."""
    return Job(parameters)


def at_once(_job: Job) -> dict[str, int]:
    """Return how many of a request and the heart may run at one moment, by what the runner declares in AT_ONCE."""
    return {"in turn": 1, "beside": 2}


def judge(job: Job, returned: list[int]) -> Outcome:
    """Check each request's answer, the log and that the heart beat, and count the beats during a request."""
    wrong = ""
    expected_lines = [f"request {number}\n" for number in range(job.requests_count)] if job.cause == "log" else []
    if len(returned) != job.requests_count:
        wrong = f"{job.requests_count} requests are to be answered; {len(returned)} were"
    elif returned != job.expected():
        wrong = "a request was answered wrongly"
    elif job.stream.lines != expected_lines:
        wrong = f"the log is to have {len(expected_lines)} lines in order; it has {len(job.stream.lines)}"
    elif not job.heart.beats:
        wrong = "the heart never beat"
    values: dict[str, Value] = {
        **job.heart.values(),
        "requests_count": len(job.spans),
        "requests_total_ns": sum(span.ended_ns - span.started_ns for span in job.spans),
        "beats_beside_count": sum(
            span.started_ns < beat.started_ns < span.ended_ns for beat in job.heart.beats for span in job.spans
        ),
        "full_collections_count": sum(job.collections),
    }
    return Outcome(values, job.spans + job.heart.beats, wrong)
