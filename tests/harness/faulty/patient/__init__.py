"""Patient: can a run be cut off in the middle of a sample, and gone on with?

The third sample waits for a file named `go_on` in the folder for temporary files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from runners.harness.contract import Case
from tests.harness.faulty.hanging import IDEAL, INSIDE_THE_CLOCK, METRICS, SOURCE, at_once, judge

if TYPE_CHECKING:
    from runners.harness.contract import Parameters, Surroundings

BASELINE = "waits"
CASES = {"tiny": Case({"size": "tiny", "counts": 1}, warm_up={"counts": 0})}

__all__ = ["BASELINE", "CASES", "IDEAL", "INSIDE_THE_CLOCK", "METRICS", "SOURCE", "at_once", "judge", "prepare"]


class Job(NamedTuple):
    """Whether this is a sample rather than its warm-up."""

    counts: bool


def prepare(parameters: Parameters, _surroundings: Surroundings) -> Job:
    """Make the job."""
    return Job(bool(parameters["counts"]))
