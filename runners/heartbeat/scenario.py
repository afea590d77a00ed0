"""Heartbeat: how long does a burst of jobs keep an event loop from anything else?

A heartbeat sleeps on the event loop, over and over, and notes how late it wakes. Once it beats, a burst of jobs
arrives, each of which blocks the loop for 10 ms (a blocking sleep stands in for computing); in other cases they also
await 10 ms before and after. The published burst has 200 jobs; a quarter of it, 50 jobs, serves for a quick look. Where
jobs that await are done one at a time, a tenth of them, 20 jobs, serves for all 200: they are each as long as before.

How late a beat is depends on when it falls due: one that is due just before the loop is free again is hardly late. The
published one beats once a second, and the jobs arrive half a second before a beat, so that a burst of 2 s makes it
1.5 s late. Here it beats every millisecond, so that no stretch in which jobs keep it from running escapes it: the worst
delay is the longest such stretch, less at most that millisecond. That may be two jobs, though the loop is never blocked
for longer than one: asyncio's sleep needs two turns of the loop to end. It has been beating for 20 ms when the jobs
arrive.

The burst without a limit is also measured on uvloop, on trio and through anyio, which runs on asyncio here. There the
heartbeat and the jobs sleep as those libraries do; the work is the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.contract import Ideal, Metric
from runners.heartbeat.workload import BEAT_S, CASES, IDLE_S, JOBS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.harness.contract import Parameters, Value

SOURCE = "S4"
METRICS = (
    Metric("heartbeat_worst_delay_ns", "Worst delay of the heartbeat", "ns", "lower", kind="delay"),
    Metric("jobs_elapsed_ns", "From the start of the first job to the end of the last", "ns", "lower"),
    Metric("heartbeats_count", "Beats of the heartbeat", "count", "neither"),
)
COLUMNS = {
    "heartbeat_worst_delay_ns": "The longest by which a beat came after it was due.",
    "heartbeats_count": "Beats.",
    "jobs_elapsed_ns": "From the start of the first job to the end of the last; null where there are none.",
}
INSIDE_THE_CLOCK = "making the event loop, 20 ms of heartbeat alone, all jobs, closing the loop"


def ideal_ns(parameters: Parameters, _cores: int, _baseline: Mapping[str, Value]) -> float | None:
    """Return how late a beat must be when a job has just begun."""
    return round((float(parameters["work_s"]) - BEAT_S) * 1e9) if parameters["jobs"] else None


IDEAL = Ideal(
    "the length of one job less a period of the heartbeat (10 - 1 ms): nothing takes the loop from a job, and no job is"
    " over before a beat falls due; none for the heartbeat alone",
    ideal_ns,
)


FEWER = "20 jobs, against 200 of the baseline: the worst delays can be compared, the times of all jobs cannot"
NOTES = {f"{runner}/tenth, jobs that await, 1 at once": FEWER for runner in ("job_queue", "semaphore")}


def case_name(case: str) -> str:
    """Name a case in words: how many jobs, of which kind, how many at once."""
    size, kind, *limit = case.split(", ")
    if kind == "no jobs":
        return f"no jobs, {IDLE_S[size]} s of heartbeat alone"
    words = "one at a time" if limit == ["1 at once"] else limit[0]
    return f"{JOBS[size]} {kind}, {words}"


CASE_NAMES = {case: case_name(case) for case in CASES}
