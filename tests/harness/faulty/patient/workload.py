"""Patient: the cases, the job of each, and who judges its answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from runners.harness.contract import Case
from tests.harness.faulty.hanging.workload import at_once, judge

if TYPE_CHECKING:
    from runners.harness.contract import Parameters, Surroundings

BASELINE = "waits"
CASES = {"tiny": Case({"size": "tiny", "counts": 1}, warm_up={"counts": 0})}

__all__ = ["BASELINE", "CASES", "at_once", "judge", "prepare"]


class Job(NamedTuple):
    """Whether this is a sample rather than its warm-up."""

    counts: bool


def prepare(parameters: Parameters, _surroundings: Surroundings) -> Job:
    """Make the job."""
    return Job(bool(parameters["counts"]))
