"""CPU beside I/O: the cases, the job of each, and who judges its answers."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import math
import time
from typing import TYPE_CHECKING, NamedTuple

from runners.harness.contract import Case, Outcome, Span, span_since

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from runners.harness.contract import Parameters, Surroundings, Value

BASELINE = "to_thread"

BEAT_NS = 1_000_000
BASE = 7777
PRIME = 1_000_000_007
LAG_POINTS = 200


def _case(work: str, chunks: int, amount: int, tiny: int) -> Case:
    return Case(
        {"size": "published", "work": work, "chunks": chunks, "amount": amount, "idle_s": 0.1},
        warm_up={"chunks": min(chunks, 4), "amount": tiny, "idle_s": 0.005},
        block="published",
        quick=False,
    )


CASES = {
    "published, a loop in Python": _case("python", 100, 25_000, tiny=100),
    "published, C that keeps the GIL": _case("c_keeps", 1, 200_000, tiny=100),
    "published, C that frees the GIL": _case("c_frees", 1, 300_000, tiny=100),
    "published, nothing computes": _case("nothing", 0, 0, tiny=0),
}


class Part(NamedTuple):
    """What a piece of the computing came to, and when and where."""

    result: int
    span: Span


class Work(NamedTuple):
    """What is to be computed beside the loop: pieces that are all alike."""

    kind: str
    chunks: int
    amount: int

    def compute(self) -> list[Part]:
        """Compute all of it, one piece after another; blocks for about a tenth of a second."""
        return [self.compute_chunk() for _ in range(self.chunks)]

    def compute_chunk(self) -> Part:
        """Compute one piece: about a millisecond of the loop in Python; of what is written in C, all of it."""
        started_ns = time.perf_counter_ns()
        if self.kind == "python":
            result = 0
            for turn in range(self.amount):
                result += turn
        elif self.kind == "c_keeps":
            result = BASE**self.amount % PRIME
        else:
            result = self._derive_key()
        return Part(result, span_since(started_ns))

    def expected(self) -> int:
        """Return what one piece must come to."""
        if self.kind == "python":
            return self.amount * (self.amount - 1) // 2
        return pow(BASE, self.amount, PRIME) if self.kind == "c_keeps" else self._derive_key()

    def _derive_key(self) -> int:
        return int.from_bytes(hashlib.pbkdf2_hmac("sha256", b"password", b"salt", self.amount), "big")


class Job:
    """What a runner gets: the heart to keep beating meanwhile, and what to compute."""

    def __init__(self, work: Work, idle_s: float) -> None:
        """Begin with no beat."""
        self.work = work
        self.idle_s = idle_s
        self.lags_ns: list[int] = []
        self.beats: list[Span] = []

    @contextlib.asynccontextmanager
    async def heart(self) -> AsyncIterator[None]:
        """Let the heart beat on the loop for as long as the context is open."""
        beating = asyncio.create_task(self._beat())
        await asyncio.sleep(0)  # it falls asleep for the first time
        try:
            yield
        finally:
            beating.cancel()
            await asyncio.wait([beating])

    async def _beat(self) -> None:
        while True:
            asked_ns = time.perf_counter_ns()
            try:
                await asyncio.sleep(BEAT_NS / 1e9)
            finally:
                self.note_beat(asked_ns, time.perf_counter_ns())

    def note_beat(self, asked_ns: int, woken_ns: int) -> None:
        """Note a beat, and one more for every period by which it is late: each would have been due by then."""
        self.lags_ns.extend(range(woken_ns - asked_ns - BEAT_NS, -1, -BEAT_NS))
        self.beats.append(span_since(woken_ns))


def prepare(parameters: Parameters, _surroundings: Surroundings) -> Job:
    """Make the job of one case."""
    work = Work(str(parameters["work"]), int(parameters["chunks"]), int(parameters["amount"]))
    return Job(work, float(parameters["idle_s"]))


def at_once(_job: Job) -> dict[str, int]:
    """Say how many of the heart and the computing may run at one moment, by what the runner declares in AT_ONCE."""
    return {"in turn": 1, "beside": 2}


def judge(job: Job, returned: list[Part]) -> Outcome:
    """Check what was computed and that the heart beat, and count the beats in the midst of a piece of computing."""
    wrong = ""
    if len(returned) != job.work.chunks:
        wrong = f"{job.work.chunks} pieces are to be computed; {len(returned)} were"
    elif returned and {part.result for part in returned} != {job.work.expected()}:
        wrong = f"a piece comes to {job.work.expected()}; not all of them did"
    elif not job.beats:
        wrong = "the heart never beat"
    computing = [part.span for part in returned]
    values = _lags(job.lags_ns)
    values["beats_beside_count"] = sum(
        span.started_ns < beat.started_ns < span.ended_ns for beat in job.beats for span in computing
    )
    values["computing_ns"] = None
    if computing:
        values["computing_ns"] = max(span.ended_ns for span in computing) - min(span.started_ns for span in computing)
    return Outcome(values, computing + job.beats, wrong)


def _lags(lags_ns: list[int]) -> dict[str, Value]:
    """Return percentiles of the lags by nearest rank, the worst, and the lags in their order, thinned."""
    ranked = sorted(lags_ns) or [0]
    count = len(lags_ns)
    step = max(1, math.ceil(count / LAG_POINTS))
    return {
        "lag_99th_percentile_ns": ranked[math.ceil(0.99 * len(ranked)) - 1] if lags_ns else None,
        "lag_median_ns": ranked[math.ceil(0.5 * len(ranked)) - 1] if lags_ns else None,
        "lag_worst_ns": ranked[-1] if lags_ns else None,
        "beats_due_count": count,
        "lag_trace_us": [lag_ns // 1000 for lag_ns in lags_ns[::step]] or None,
    }
