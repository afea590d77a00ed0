"""Power: does one long computation in C gain from threads, processes or greenlets?

The number 7777 is raised to the power of 200,000, ten times over. The interpreter does that in a single C operation,
during which a build with a GIL never releases it. Every model gets all ten at once, with a thread or a process for each
and no pool; only asyncio uses its loop's default thread pool. A result has 2.6 million bits. Its length and its
remainder by a prime are returned, computed by the same thread or process.

A pool of interpreters, one for each usable core, is our addition to the source's models.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.contract import Ideal, Metric

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.harness.contract import Parameters, Presentation, Value

SOURCE = "S5"
METRICS = (
    Metric("elapsed_ns", "Time for all ten powers", "ns", "lower"),
    Metric("longest_job_ns", "Longest single power", "ns", "neither"),
    Metric("all_jobs_ns", "Sum over the powers", "ns", "neither"),
)
COLUMNS = {
    "longest_job_ns": "Longest time of a single power.",
    "all_jobs_ns": "Sum of what the powers took.",
}
INSIDE_THE_CLOCK = "starting threads, processes or the event loop, computing all ten powers, ending what was started"


def ideal_ns(_parameters: Parameters, cores: int, baseline: Mapping[str, Value]) -> float | None:
    """Return the time that no division of the work over *cores* can beat, from the baseline of the same round."""
    longest, total = baseline.get("longest_job_ns"), baseline.get("all_jobs_ns")
    if not isinstance(longest, int) or not isinstance(total, int):
        return None
    return max(longest, total / cores)


IDEAL = Ideal("the longest power, or the sum of all divided by the usable cores, whichever is more", ideal_ns)
PRESENTATION: Presentation = {
    "case_names": {"published": "ten powers"},
}
