"""Loops: is a loop that does a tenth more seen to take a tenth longer?"""

from runners.harness.contract import Case, Metric, Outcome
from tests.validate.planted.additions import IDEAL, INSIDE_THE_CLOCK, SOURCE, Job, at_once, prepare

BASELINE = "plain"
CASES = {"five million turns": Case({"size": "published", "numbers": 5_000_000}, warm_up={"numbers": 1000})}
METRICS = (Metric("elapsed_ns", "Time for all turns", "ns", "lower"),)

__all__ = ["BASELINE", "CASES", "IDEAL", "INSIDE_THE_CLOCK", "METRICS", "SOURCE", "at_once", "judge", "prepare"]


def judge(job: Job, returned: int) -> Outcome:
    """Check that no turn was left out."""
    return Outcome({}, [], "" if returned >= job.numbers else f"{returned} turns of {job.numbers}")
