"""Workers: the cases, a server's job, and the check of its answers."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, NamedTuple

from runners.harness.contract import Case, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from runners.harness.contract import Parameters, Surroundings, Value

BASELINE = "aiohttp_loop"

WAIT_S = 0.005
COMPUTE_MS = 2
WORKERS = 2
THREADS = 16
"""In all: a pool of 16, or 8 in each of two processes."""
EARLIEST_SHARE = 0.5
"""Of the wait, before which no answer can come: some loops count in whole milliseconds, and round."""
TURNS_PER_MS = {"server_turns_per_ms": 15_000}
"""Default of the parameter that `calibrate` finds."""
CALIBRATION_RUNS = 9
STEPS_PER_DECADE = 40
"""Calibrations are rounded to steps of 6 %, so that runs on similar machines do the same work."""

_SERVER: Parameters = {"wait_s": WAIT_S, "workers": WORKERS, "threads": THREADS, "timeout_s": 2.0}


def _open(rate_per_s: int, requests: int, *, steady: bool = False) -> Case:
    load: Parameters = {"rate_per_s": rate_per_s, "requests": requests, "at_once": 500}
    return Case(
        {"size": f"{rate_per_s} requests/s", **_SERVER, **load},
        warm_up={"requests": 12, "rate_per_s": 150},
        quick=False,
        steady=steady,
        time_limit_s=20.0,
    )


CASES = {
    "500 requests/s": _open(500, 220),
    "250 requests/s": _open(250, 200, steady=True),
    "16 clients, no wait": Case(
        {"size": "no wait", **_SERVER, "wait_s": 0.0, "requests": 208, "at_once": 16},
        warm_up={"requests": 12, "at_once": 2},
        baseline="aiohttp_to_thread",
        quick=False,
        time_limit_s=20.0,
    ),
}


class Job(NamedTuple):
    """What a server gets: what a request does, its workers and threads, and how to report its port."""

    wait_s: float
    turns: int
    workers: int
    threads: int
    at_once: int
    requests: int
    ready: Callable[[int], None]

    def compute(self) -> int:
        """Compute for about two milliseconds, in pure Python."""
        return compute(self.turns)


def compute(turns: int) -> int:
    """Run a loop of pure Python."""
    total = 1
    for turn in range(turns):
        total = (total * 31 + turn) % 65_521
    return total


def calibrate() -> dict[str, int]:
    """Return how many turns take a millisecond here: the fastest of several tries, rounded."""
    name, turns = next(iter(TURNS_PER_MS.items()))
    turns_per_ms = turns * 1e6 / min(_duration_ns(turns) for _ in range(CALIBRATION_RUNS))
    return {name: round(10 ** (round(STEPS_PER_DECADE * math.log10(turns_per_ms)) / STEPS_PER_DECADE))}


def _duration_ns(turns: int) -> int:
    started_ns = time.perf_counter_ns()
    compute(turns)
    return time.perf_counter_ns() - started_ns


def prepare(parameters: Parameters, surroundings: Surroundings) -> Job:
    """Make the job of one case."""
    name, default = next(iter(TURNS_PER_MS.items()))
    return Job(
        float(parameters["wait_s"]),
        int(parameters.get(name, default)) * COMPUTE_MS,
        int(parameters["workers"]),
        int(parameters["threads"]),
        int(parameters["at_once"]),
        int(parameters["requests"]),
        surroundings.ready or (lambda _port: None),
    )


def at_once(job: Job) -> dict[str, int]:
    """Return how many requests may be in work at one moment, by what the server declares in AT_ONCE."""
    return {"threads": min(job.threads, job.at_once), "requests": job.at_once}


def judge(job: Job, returned: Mapping[str, Value]) -> Outcome:
    """Check the columns that the load generator measured. A failed request is data; a wrong answer is not."""
    completed, failed = returned.get("completed_count"), returned.get("failed_count")
    wrong, trace_us = "", returned.get("latency_trace_us")
    earliest_us = trace_us[0] if isinstance(trace_us, list) else math.inf
    if not isinstance(completed, int) or not isinstance(failed, int) or completed + failed != job.requests:
        wrong = f"{completed} answered and {failed} failed requests are not the {job.requests} that were made"
    elif returned.get("wrong_answer_count"):
        wrong = f"{returned['wrong_answer_count']} answers were not a 200 with an empty body"
    elif not completed:
        wrong = "no request was answered"
    elif earliest_us < EARLIEST_SHARE * job.wait_s * 1e6:
        wrong = f"an answer came after {earliest_us / 1e3:.3g} ms, but each waits for {job.wait_s * 1e3:g} ms"
    return Outcome(dict(returned), [], wrong)
