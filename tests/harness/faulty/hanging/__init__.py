"""Hanging: is a runner ended that never comes to an end?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.contract import Case, Ideal, Metric, Outcome

if TYPE_CHECKING:
    from runners.harness.contract import Parameters, Surroundings

SOURCE = "S1"
BASELINE = "forever"
CASES = {"tiny": Case({"size": "tiny"}, warm_up={}, time_limit_s=0.3)}
METRICS = (Metric("elapsed_ns", "Time", "ns", "lower"),)
INSIDE_THE_CLOCK = "all of it"
IDEAL = Ideal("there is none")


def prepare(_parameters: Parameters, _surroundings: Surroundings) -> None:
    """Make no job."""


def at_once(_job: object) -> dict[str, int]:
    """Know no limit."""
    return {}


def judge(_job: object, _returned: object) -> Outcome:
    """Be content with anything."""
    return Outcome({}, [])
