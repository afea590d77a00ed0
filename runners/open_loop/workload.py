"""Open loop: the cases, the job of each, and who judges its answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from runners.harness.contract import Case, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from runners.harness.contract import Parameters, Surroundings, Value

BASELINE = "aiohttp_awaiting"

WORKERS = 16
EARLIEST_SHARE = 0.5
"""Of the wait, after which an answer can come at the earliest: some loops count in whole milliseconds, and round."""

_SERVER: Parameters = {"wait_s": 0.005, "turns": 8_000, "workers": WORKERS, "timeout_s": 1.0}


def _closed(size: str, requests: int, block: str, **others: float) -> Case:
    """Make a case of 16 clients, each of which asks again as soon as it has its answer."""
    load: Parameters = {"size": size, "at_once": WORKERS, "requests": requests}
    return Case({**_SERVER, **load, **others}, warm_up={"requests": max(10, requests // 10)}, block=block, quick=False)


def _open(rate_per_s: int, requests: int, *, block: str = "", steady: bool = True) -> Case:
    """Make a case whose requests fall due at a rate; at most 500 connections are open at once."""
    load: Parameters = {"size": f"{rate_per_s:,} requests/s", "rate_per_s": rate_per_s, "requests": requests}
    return Case(
        {**_SERVER, **load, "at_once": 500},
        warm_up={"requests": 10, "rate_per_s": 200},
        block=block,
        quick=False,
        steady=steady,
    )


CASES = {
    "closed loop, 16 at once": _closed("16 at once", 240, "overload"),
    "2,000 requests/s": _open(2_000, 400, block="overload", steady=False),
    "300 requests/s": _open(300, 240),
    "1,000 requests/s": _open(1_000, 300),
    "closed loop, nothing to do": _closed("nothing to do", 4_000, "nothing to do", wait_s=0, turns=0),
}


class Job(NamedTuple):
    """What a server gets: how long a request waits, what it computes, and how to report its port."""

    wait_s: float
    turns: int
    workers: int
    at_once: int
    requests: int
    ready: Callable[[int], None]

    def compute(self) -> int:
        """Compute for about half a millisecond, in pure Python."""
        total = 1
        for turn in range(self.turns):
            total = (total * 31 + turn) % 65_521
        return total


def prepare(parameters: Parameters, surroundings: Surroundings) -> Job:
    """Make the job of one case."""
    return Job(
        float(parameters["wait_s"]),
        int(parameters["turns"]),
        int(parameters["workers"]),
        int(parameters["at_once"]),
        int(parameters["requests"]),
        surroundings.ready or (lambda _port: None),
    )


def at_once(job: Job) -> dict[str, int]:
    """Say how many requests may be in work at one moment, by what the server declares in AT_ONCE."""
    return {"workers": min(job.workers, job.at_once), "requests": job.at_once}


def judge(job: Job, returned: Mapping[str, Value]) -> Outcome:
    """Check the columns that the load generator measured. A failed request is data; a wrong answer is not."""
    completed, failed = returned.get("completed_count"), returned.get("failed_count")
    wrong = ""
    if not isinstance(completed, int) or not isinstance(failed, int) or completed + failed != job.requests:
        wrong = f"{completed} answered and {failed} failed requests are not the {job.requests} that were made"
    elif returned.get("wrong_answer_count"):
        wrong = f"{returned['wrong_answer_count']} answers were not a 200 with an empty body"
    elif not completed:
        wrong = "no request was answered"
    elif (earliest_us := _first(returned)) < EARLIEST_SHARE * job.wait_s * 1e6:
        wrong = f"an answer came after {earliest_us / 1e3:.3g} ms, where each waits for {job.wait_s * 1e3:g} ms"
    return Outcome(dict(returned), [], wrong)


def _first(returned: Mapping[str, Value]) -> float:
    """Return the least latency, of which both ways to keep them have the first."""
    for name in ("latency_trace_us", "latency_steps_us"):
        if isinstance(latencies_us := returned.get(name), list):
            return latencies_us[0]
    return 0
