"""Heartbeat: how long does a burst of jobs keep an event loop from anything else?

A heartbeat sleeps on the event loop, over and over, and notes how late it wakes. Once it beats, a burst of jobs
arrives, each of which blocks the loop for 10 ms (a blocking sleep replaces computing); in other cases they also await
10 ms before and after. The published burst has 200 jobs. Fewer are measured if more would show no more: 100 jobs for
queues of 16 and 64 workers, and 20 jobs one at a time and for other loops. Each job takes as long as before. A quick
run has 50 jobs.

How late a beat is depends on when it falls due: one that is due just before the loop is free again is hardly late. The
published one beats once a second, and the jobs arrive half a second before a beat, so that a burst of 2 s makes it 1.5
s late. Ours beats every millisecond, so that it misses no stretch in which jobs keep it from running: the worst delay
is the longest such stretch, less at most that millisecond. That may be two jobs, though the loop is never blocked for
longer than one: asyncio's sleep needs two turns of the loop to end. The heartbeat has run for 20 ms when the jobs
arrive.

The 20 jobs that await are also measured without a limit on uvloop, on trio, and through anyio on asyncio. There the
heartbeat and the jobs use the sleep of those libraries; the work is the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.contract import Ideal, Metric
from runners.heartbeat.workload import BEAT_S, CASES, IDLE_S, JOBS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.harness.contract import Parameters, Presentation, Value

SOURCE = "S4"
METRICS = (
    Metric("heartbeat_worst_delay_ns", "Worst delay of the heartbeat", "ns", "lower", kind="delay"),
    Metric("jobs_elapsed_ns", "From the start of the first job to the end of the last", "ns", "lower"),
    Metric("heartbeats_count", "Beats of the heartbeat", "count", "neither"),
)
COLUMNS = {
    "heartbeat_worst_delay_ns": "The longest by which a beat came after it was due.",
    "heartbeats_count": "Beats.",
    "jobs_elapsed_ns": "From the start of the first job to the end of the last; null if there are none.",
}
INSIDE_THE_CLOCK = "making the event loop, 20 ms of heartbeat only, all jobs, closing the loop"


def ideal_ns(parameters: Parameters, _cores: int, _baseline: Mapping[str, Value]) -> float | None:
    """Return how late a beat must be when a job has just begun."""
    return round((float(parameters["work_s"]) - BEAT_S) * 1e9) if parameters["jobs"] else None


IDEAL = Ideal(
    "the length of one job less a period of the heartbeat (10 - 1 ms): nothing takes the loop from a job, and "
    "no job is over before a beat falls due; none without jobs",
    ideal_ns,
)


FEWER = "Fewer jobs than the baseline's 200: the worst delays can be compared, the times of all jobs cannot."


def case_name(case: str) -> str:
    """Name a case in words: how many jobs, of which kind, how many at once."""
    size, kind, *limit = case.split(", ")
    if kind == "no jobs":
        return f"no jobs, {IDLE_S[size]} s of heartbeat only"
    words = "one at a time" if limit == ["1 at once"] else limit[0]
    return f"{JOBS[size]} {kind}, {words}"


PRESENTATION: Presentation = {
    "case_names": {case: case_name(case) for case in CASES},
    "notes": {
        **{f"job_queue/{case}": FEWER for case in CASES if case.startswith(("half", "tenth")) and "at once" in case},
        "semaphore/tenth, jobs that await, 1 at once": FEWER,
    },
}
