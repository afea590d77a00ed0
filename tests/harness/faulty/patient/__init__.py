"""Patient: can a run be cut off in the middle of a sample, and gone on with?

The third sample waits for a file named `go_on` in the folder for temporary files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from runners.harness.contract import Case, Ideal, Metric, Outcome

if TYPE_CHECKING:
    from runners.harness.contract import Parameters, Surroundings

SOURCE = "S1"
BASELINE = "waits"
CASES = {"tiny": Case({"size": "tiny", "counts": 1}, warm_up={"counts": 0})}
METRICS = (Metric("elapsed_ns", "Time", "ns", "lower"),)
INSIDE_THE_CLOCK = "all of it"
IDEAL = Ideal("there is none")


class Job(NamedTuple):
    """Whether this is a sample rather than its warm-up."""

    counts: bool


def prepare(parameters: Parameters, _surroundings: Surroundings) -> Job:
    """Make the job."""
    return Job(bool(parameters["counts"]))


def at_once(_job: Job) -> dict[str, int]:
    """Know no limit."""
    return {}


def judge(_job: Job, _returned: object) -> Outcome:
    """Be content with anything."""
    return Outcome({}, [])
