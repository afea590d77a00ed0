"""Loops in threads: the cases, the job of each, and who judges what the loops did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from runners.harness.contract import Case, Outcome
from runners.loops_in_threads._work import BRANCHES, Answer, Share, timed

if TYPE_CHECKING:
    from collections.abc import Callable

    from runners.harness.contract import Parameters, Surroundings, Value

__all__ = ["BASELINE", "CASES", "Answer", "Job", "Request", "Share", "at_once", "judge", "prepare", "timed"]

BASELINE = "one_loop"
LOOPS = 2
THREADS = 8
EARLIEST_SHARE = 0.5
"""Of the wait, after which an answer can come at the earliest: some loops count in whole milliseconds, and round."""


def _case(size: str, work: Parameters, tiny: Parameters, baseline: str = "") -> Case:
    return Case({"size": size, "workers": LOOPS, **work}, warm_up=tiny, baseline=baseline, quick=False)


CASES = {
    "4 trees of 7,776 leaves": _case(
        "4 trees", {"kind": "trees", "amount": 4, "each": 5}, tiny={"amount": 2, "each": 2}
    ),
    "8,000 echoes": _case(
        "8,000 echoes", {"kind": "connections", "amount": 8, "each": 1_000}, tiny={"amount": 2, "each": 3}
    ),
    "1,600 new loops": _case(
        "1,600 new loops",
        {"kind": "loops", "amount": 1_600, "each": 1, "workers": THREADS},
        tiny={"amount": 16},
        baseline="new_loops_in_one_thread",
    ),
    "24 clients, 5 ms wait, 2 ms computing": _case(
        "24 clients",
        {"kind": "requests", "wait_s": 0.005, "turns": 32_000, "at_once": 24, "requests": 240, "timeout_s": 5.0},
        tiny={"requests": 24},
        baseline="aiohttp_one_loop",
    ),
}


class Request(NamedTuple):
    """What a server does for each request."""

    wait_s: float
    turns: int

    def compute(self) -> int:
        """Compute for about two milliseconds, in pure Python."""
        total = 1
        for turn in range(self.turns):
            total = (total * 31 + turn) % 65_521
        return total


class Job(NamedTuple):
    """What a runner gets: the work of one loop or of several, or what a server does for each request."""

    kind: str
    amount: int
    """How many trees, connections or loops there are."""
    each: int
    """How deep a tree is, or how many messages a connection has."""
    workers: int
    """How many loops, or threads, share the work."""
    request: Request
    requests: int
    ready: Callable[[int], None]
    """A server calls it with its port when all its loops accept connections."""

    @property
    def all(self) -> Share:
        """All the work, for one loop."""
        return Share(self.kind, self.amount, self.each)

    @property
    def little(self) -> Share:
        """Next to nothing of the same kind, to begin with in a new process."""
        return Share(self.kind, 1, 2)

    @property
    def shares(self) -> list[Share]:
        """The same work, divided between several loops."""
        return [Share(self.kind, self.amount // self.workers, self.each)] * self.workers


def prepare(parameters: Parameters, surroundings: Surroundings) -> Job:
    """Make the job of one case."""
    return Job(
        str(parameters["kind"]),
        int(parameters.get("amount", 0)),
        int(parameters.get("each", 0)),
        int(parameters["workers"]),
        Request(float(parameters.get("wait_s", 0)), int(parameters.get("turns", 0))),
        int(parameters.get("requests", 0)),
        surroundings.ready or (lambda _port: None),
    )


def at_once(job: Job) -> dict[str, int]:
    """Return how many loops may be at work at one moment, by what the runner declares in AT_ONCE."""
    return {"one": 1, "workers": job.workers}


def judge(job: Job, returned: Any) -> Outcome:  # noqa: ANN401 - answers of loops, or columns of the load generator
    """Check that all was done: leaves, echoes and loops, or requests."""
    if job.kind == "requests":
        return Outcome(dict(returned), [], _wrong_requests(job, returned))
    spans = [answer.span for answer in returned]
    done, expected = sum(answer.done for answer in returned), job.amount * _each(job)
    wrong = "" if done == expected else f"{expected} {job.kind} were expected in the end; there were {done}"
    threads = len({(span.process_id, span.thread_id) for span in spans})
    if not wrong and threads != len(returned):
        wrong = f"{threads} of {len(returned)} threads did all the work"
    values: dict[str, Value] = {}
    if spans:
        values["working_ns"] = max(span.ended_ns for span in spans) - min(span.started_ns for span in spans)
    return Outcome(values, spans, wrong)


def _each(job: Job) -> int:
    return BRANCHES**job.each if job.kind == "trees" else job.each


def _wrong_requests(job: Job, columns: dict[str, Value]) -> str:
    completed, failed = columns.get("completed_count"), columns.get("failed_count")
    if completed != job.requests:
        return f"{completed} requests were answered and {failed} failed, of {job.requests}"
    for name in ("latency_steps_us", "latency_trace_us"):  # either begins with the least
        latencies_us = columns.get(name)
        if isinstance(latencies_us, list) and latencies_us[0] < EARLIEST_SHARE * job.request.wait_s * 1e6:
            least, wait = latencies_us[0] / 1e3, job.request.wait_s * 1e3
            return f"an answer came after {least:.3g} ms, but each waits for {wait:g} ms"
    return ""
