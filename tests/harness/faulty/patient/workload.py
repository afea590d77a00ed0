"""Patient: the work of misbehaving, counted by its runner except for the warm-up."""

from runners.harness.contract import Case
from tests.harness.faulty.misbehaving.workload import at_once, judge, prepare

BASELINE = "waits"
CASES = {"tiny": Case({"size": "tiny", "way": "counts"}, warm_up={"way": ""})}

__all__ = ["BASELINE", "CASES", "at_once", "judge", "prepare"]
