"""Primes: does CPU-bound work gain from threads, processes or coroutines?

Eight numbers are tested for primality by trial division: pure Python, no waiting. Even numbers are turned away at once,
the others are divided by odd numbers from 3 to their square root. Answers are taken in the order in which they
complete, or in the order of submission if the pool offers no other. In the case with a timer, a 10 ms timer ticks on
the event loop during the work, and its worst delay is measured too.

Pools have one worker for each usable core. A process pool without a named start method uses the platform's own: on
Linux, fork up to 3.13, so that it equals the runner that names it, and the fork server from 3.14 on. The loop in
another thread is a second control: a thread pool that beats the plain loop but not that one gained from running outside
the main thread, and not from working on several numbers at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.contract import Ideal, Metric
from runners.harness.metrics import quotient

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.harness.contract import Parameters, Presentation, Value

SOURCE = "S1"
METRICS = (
    Metric("elapsed_ns", "Time for all eight numbers", "ns", "lower"),
    Metric("timer_worst_delay_ns", "Worst delay of the 10 ms timer", "ns", "lower", kind="delay"),
    Metric(
        "timer_delay_share",
        "Worst delay of the timer, as a share of the work's time",
        "ratio",
        "lower",
        quotient("timer_worst_delay_ns", "elapsed_ns"),
        kind="delay",
        formula=("timer_worst_delay_ns / elapsed_ns; null if elapsed_ns is 0"),
    ),
    Metric("longest_job_ns", "Longest single number", "ns", "neither"),
    Metric("all_jobs_ns", "Sum over the numbers", "ns", "neither"),
)
COLUMNS = {
    "longest_job_ns": "Longest time of a single number.",
    "all_jobs_ns": "Sum of what the numbers took.",
    "timer_worst_delay_ns": (
        "The longest by which a tick of the timer came after it was due; null if there is no timer."
    ),
}
INSIDE_THE_CLOCK = "making the pool or the event loop, testing all eight numbers, closing the pool"


def ideal_ns(parameters: Parameters, cores: int, baseline: Mapping[str, Value]) -> float | None:
    """Return the time that no division of the work over *cores* can beat, from the baseline of the same round."""
    longest, total = baseline.get("longest_job_ns"), baseline.get("all_jobs_ns")
    if parameters["timer"] or not isinstance(longest, int) or not isinstance(total, int):
        return None
    return max(longest, total / cores)


IDEAL = Ideal(
    "the time of the slowest number, or the sum of all divided by the usable cores, whichever is more. Five "
    "numbers take nearly all the time, so two workers, of which one gets three of them, take 0.6 of the loop's "
    "time while the ideal is half of it: an efficiency of five sixths",
    ideal_ns,
)
PRESENTATION: Presentation = {
    "case_names": {"published": "eight numbers", "published, with a timer": "eight numbers, with a timer"},
}
