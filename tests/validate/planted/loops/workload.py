"""Loops: the cases, the job of each, and who judges its answers."""

from runners.harness.contract import Case, Outcome
from tests.validate.planted.additions.workload import Job, at_once, prepare

BASELINE = "plain"
CASES = {"five million turns": Case({"size": "published", "numbers": 5_000_000}, warm_up={"numbers": 1000})}

__all__ = ["BASELINE", "CASES", "at_once", "judge", "prepare"]


def judge(job: Job, returned: int) -> Outcome:
    """Check that no turn was left out."""
    return Outcome({}, [], "" if returned >= job.numbers else f"{returned} turns of {job.numbers}")
