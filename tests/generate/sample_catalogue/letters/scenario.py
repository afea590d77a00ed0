"""Letters: does `sorting` letters gain from <threads> & co?

Nothing is sorted: a scenario for the tests of the pages, with one case that has a size of its own.

Its second paragraph is apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.contract import Ideal, Metric

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.harness.contract import Parameters, Value

SOURCE = "S1"
METRICS = (
    Metric("elapsed_ns", "Time for all letters", "ns", "lower"),
    Metric("longest_job_ns", "Longest letter", "ns", "neither"),
)
INSIDE_THE_CLOCK = "making the pool, sorting"


def longest(_parameters: Parameters, _cores: int, baseline: Mapping[str, Value]) -> float | None:
    longest_ns = baseline.get("longest_job_ns")
    return longest_ns if isinstance(longest_ns, int) else None


COLUMNS = {"longest_job_ns": "The longest that a letter took."}
IDEAL = Ideal("the longest letter", longest)
