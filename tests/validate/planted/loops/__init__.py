"""Loops: is a loop that does a tenth more seen to take a tenth longer?"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from runners.harness.contract import Case, Ideal, Metric, Outcome

if TYPE_CHECKING:
    from runners.harness.contract import Parameters, Surroundings

SOURCE = "S1"
BASELINE = "plain"
CASES = {"five million turns": Case({"size": "published", "turns": 5_000_000}, warm_up={"turns": 1000})}
METRICS = (Metric("elapsed_ns", "Time for all turns", "ns", "lower"),)
INSIDE_THE_CLOCK = "all of it"
IDEAL = Ideal("none: it is a test of the statistics")


class Job(NamedTuple):
    """What a runner gets: how many turns to make."""

    turns: int


def prepare(parameters: Parameters, _surroundings: Surroundings) -> Job:
    """Make the job."""
    return Job(int(parameters["turns"]))


def at_once(_job: Job) -> dict[str, int]:
    """Allow one at a time."""
    return {"one": 1}


def judge(job: Job, returned: int) -> Outcome:
    """Check that no turn was left out."""
    return Outcome({}, [], "" if returned >= job.turns else f"{returned} turns of {job.turns}")
