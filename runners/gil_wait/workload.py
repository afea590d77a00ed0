"""GIL wait: the cases, the job of each, and who judges its answers."""

from __future__ import annotations

import contextlib
import math
import sys
import time
from threading import Barrier, Event
from typing import TYPE_CHECKING, NamedTuple

from runners.harness.contract import Case, Outcome, Span, span_since

if TYPE_CHECKING:
    from collections.abc import Iterator

    from runners.harness.contract import Parameters, Surroundings, Value

BASELINE = "python_loop"

BASE = 7777


def _computing(threads: int) -> Case:
    parameters: Parameters = {"size": "published", "computing": threads, "exponent": 200_000}
    sleep: Parameters = {"sleep_s": 0.005, "sleeps": 80, "watch_s": 0.4}
    return Case({**parameters, **sleep}, warm_up={"exponent": 100, "sleeps": 1}, block="while threads compute")


def _waiting(threads: int) -> Case:
    parameters: Parameters = {"size": "published", "waiting": threads, "exponent": 0}
    sleep: Parameters = {"sleep_s": 0.02, "sleeps": 8, "watch_s": 20.0}
    return Case(
        {**parameters, **sleep}, {"sleep_s": 0.005, "sleeps": 1}, block="while threads wait", baseline="waiting_threads"
    )


CASES = {
    "published, nobody computes": _computing(0),
    "published, 1 computes": _computing(1),
    "published, 2 compute": _computing(2),
    "published, 4 compute": _computing(4),
    "published, 1 waits": _waiting(1),
    "published, 10 wait": _waiting(10),
}


class Part(NamedTuple):
    """What one of the other threads did, and when and where."""

    results: list[bool]
    span: Span


class Job:
    """What a runner gets: how many threads are to compute or to wait, the start, the end, and what to do until then."""

    def __init__(self, parameters: Parameters) -> None:
        """Make the job of one case."""
        self.computing = int(parameters.get("computing", 0))
        self.waiting = int(parameters.get("waiting", 0))
        self.exponent = int(parameters["exponent"])
        self.sleep_s = float(parameters["sleep_s"])
        self.sleeps = int(parameters["sleeps"])
        self.watch_s = float(parameters["watch_s"])
        self.all_ready = Barrier(self.waiting or self.computing + 1)
        self.over = Event()
        self.parts: list[Part] = []
        self.delays_ns: list[int] = []

    @contextlib.contextmanager
    def part(self) -> Iterator[list[bool]]:
        """Take part as one of the other threads, from when all are ready; the list is for whether results are right."""
        results: list[bool] = []
        self.all_ready.wait()
        started_ns = time.perf_counter_ns()
        yield results
        self.parts.append(Part(results, span_since(started_ns)))

    def sleep_and_wake(self) -> None:
        """Sleep again and again, and note how late each sleep ended."""
        over_ns = time.perf_counter_ns() + round(self.watch_s * 1e9)
        for _ in range(self.sleeps):
            due_ns = time.perf_counter_ns() + round(self.sleep_s * 1e9)
            time.sleep(self.sleep_s)
            woken_ns = time.perf_counter_ns()
            self.delays_ns.append(woken_ns - due_ns)
            if woken_ns >= over_ns:
                return

    def is_power(self, number: int) -> bool:
        """Return whether, by its length, *number* is the power that was to be computed."""
        return number.bit_length() == math.floor(self.exponent * math.log2(BASE)) + 1


def prepare(parameters: Parameters, _surroundings: Surroundings) -> Job:
    """Make the job of one case."""
    return Job(parameters)


def at_once(job: Job) -> dict[str, int]:
    """Say how many of the other threads there may be, by what the runner declares in AT_ONCE."""
    return {"computing": job.computing, "waiting": job.waiting}


def judge(job: Job, _returned: None) -> Outcome:
    """Check that as many threads as asked computed or waited, and rightly."""
    threads = job.waiting or job.computing
    wrong = ""
    if len(job.parts) != threads:
        wrong = f"{threads} threads are to take part; {len(job.parts)} did"
    elif job.waiting and len(job.delays_ns) != threads * job.sleeps:
        wrong = f"{threads} threads are to sleep {job.sleeps} times each; in all they slept {len(job.delays_ns)} times"
    elif job.computing and not all(part.results and all(part.results) for part in job.parts):
        wrong = "a thread computed nothing, or something wrong"
    elif not job.delays_ns:
        wrong = "nobody slept"
    values: dict[str, Value] = {
        "wake_up_worst_delay_ns": max(job.delays_ns, default=None),
        "wake_up_all_delays_ns": sum(job.delays_ns),
        "wake_ups_count": len(job.delays_ns),
        "switch_interval_us": round(sys.getswitchinterval() * 1e6),
        "wake_up_delay_trace_us": [delay_ns // 1000 for delay_ns in job.delays_ns],
    }
    return Outcome(values, [part.span for part in job.parts], wrong)
