"""Server: the cases, their jobs, and the check of the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from runners.harness.contract import Case, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from runners.harness.contract import Parameters, Surroundings, Value

BASELINE = "answers"
LOAD = {"at_once": 1, "requests": 2, "timeout_s": 5.0}
CASES = {"tiny": Case({"size": "tiny", **LOAD}, warm_up={"requests": 1}, time_limit_s=20)}


class Job(NamedTuple):
    """How to announce the port."""

    ready: Callable[[int], None] | None


def prepare(_parameters: Parameters, surroundings: Surroundings) -> Job:
    """Make the job."""
    return Job(surroundings.ready)


def at_once(_job: Job) -> dict[str, int]:
    """Allow one at a time."""
    return {"one": 1}


def judge(_job: Job, returned: Mapping[str, Value]) -> Outcome:
    """Require two answers; raise an unexpected error if there are none."""
    completed = returned["completed_count"]
    assert isinstance(completed, int)
    return Outcome({}, [], "" if 2 // completed == 1 else "not two answers")
