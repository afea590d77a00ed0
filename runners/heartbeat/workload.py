"""Heartbeat: the cases, the job of each, and who judges its answers."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, NamedTuple

from runners.harness.contract import Case, Outcome, Span, span_since

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from runners.harness.contract import Parameters, Surroundings, Value

    Sleep = Callable[[float], Coroutine[None, None, None]]

BASELINE = "task_burst"

BEAT_S = 0.001
JOBS = {"published": 200, "half": 100, "tenth": 20, "quarter": 50}
IDLE_S = {"published": 0.5, "quarter": 0.25}
AWAIT_S = {"jobs that never await": 0.0, "jobs that await": 0.01}
LIMITS = {
    ("published", "jobs that never await"): (0, 4, 200),
    ("published", "jobs that await"): (0, 4, 200),
    ("half", "jobs that never await"): (16, 64),
    ("half", "jobs that await"): (16, 64),
    ("tenth", "jobs that never await"): (0, 1),
    ("tenth", "jobs that await"): (0, 1),
    ("quarter", "jobs that never await"): (0, 1, 4, 50),
    ("quarter", "jobs that await"): (0, 4, 50),
}  # 0: no limit. With a queue, as many jobs as workers delay the heart as long as more of them would


def _case(size: str, block: str, jobs: int, await_s: float, **limit: int) -> Case:
    shared: Parameters = {"size": size, "lead_s": 0.02, "work_s": 0.01, "idle_s": IDLE_S.get(size, 0.0)}
    return Case(
        {**shared, "jobs": jobs, "await_s": await_s, **limit},
        warm_up={"jobs": min(4, jobs), "lead_s": 0.002, "work_s": 0.001, "await_s": await_s / 10, "idle_s": 0.01},
        block=f"quarter, {block}" if size == "quarter" else "published",
        quick=size == "quarter",
        full=size != "quarter",
        steady=True,
    )


def _cases() -> dict[str, Case]:
    cases: dict[str, Case] = {}
    for (size, kind), limits in LIMITS.items():
        for limit in limits:
            text = f"{limit} at once" if limit else "no limit"
            cases[f"{size}, {kind}, {text}"] = _case(size, kind, JOBS[size], AWAIT_S[kind], limit=limit)
    for size in IDLE_S:
        cases[f"{size}, no jobs"] = _case(size, "jobs that never await", 0, 0.0)
    return cases


CASES = _cases()


class Done(NamedTuple):
    """A job that was done, and when and where."""

    number: int
    span: Span


class Job(NamedTuple):
    """What a runner gets: a heartbeat to keep going, and a burst of jobs to do once *lead_s* has passed."""

    heartbeat: Callable[..., Coroutine[None, None, None]]
    """It sleeps by asyncio, or as its argument does."""
    lead_s: float
    numbers: range
    work: Callable[..., Coroutine[None, None, int]]
    """(number, how to sleep where not by asyncio) -> the number."""
    limit: int
    idle_s: float
    done: list[Done]
    delays_ns: list[int]


def prepare(parameters: Parameters, _surroundings: Surroundings) -> Job:
    """Make the job of one case."""
    work_s, await_s = float(parameters["work_s"]), float(parameters["await_s"])
    done: list[Done] = []
    delays_ns: list[int] = []

    async def heartbeat(sleep: Sleep = asyncio.sleep) -> None:
        while True:
            due_ns = time.perf_counter_ns() + round(BEAT_S * 1e9)
            try:
                await sleep(BEAT_S)
            finally:
                delays_ns.append(time.perf_counter_ns() - due_ns)

    async def work(number: int, sleep: Sleep = asyncio.sleep) -> int:
        started_ns = time.perf_counter_ns()
        if await_s:
            await sleep(await_s)
        time.sleep(work_s)  # noqa: ASYNC251 - to block the loop is what this job is for
        if await_s:
            await sleep(await_s)
        done.append(Done(number, span_since(started_ns)))
        return number

    numbers = range(int(parameters["jobs"]))
    limit = int(parameters.get("limit", 0))
    return Job(
        heartbeat, float(parameters["lead_s"]), numbers, work, limit, float(parameters["idle_s"]), done, delays_ns
    )


def at_once(job: Job) -> dict[str, int]:
    """Say how many jobs may be under way at one moment, by what the runner declares in AT_ONCE."""
    return {"jobs": len(job.numbers), "limit": job.limit}


def judge(job: Job, returned: list[int]) -> Outcome:
    """Check that every job was done once and answered."""
    expected = list(job.numbers)
    wrong = ""
    if sorted(done.number for done in job.done) != expected:
        wrong = f"{len(expected)} jobs are to be done, each once; done were {len(job.done)}"
    elif sorted(returned) != expected:
        wrong = f"{len(expected)} jobs are to be answered; answered were {len(returned)}"
    elif not job.delays_ns:
        wrong = "the heartbeat never beat"
    spans = [done.span for done in job.done]
    values: dict[str, Value] = {
        "heartbeat_worst_delay_ns": max(job.delays_ns, default=None),
        "heartbeats_count": len(job.delays_ns),
        "jobs_elapsed_ns": None,
    }
    if spans:
        values["jobs_elapsed_ns"] = max(span.ended_ns for span in spans) - min(span.started_ns for span in spans)
    return Outcome(values, spans, wrong)
