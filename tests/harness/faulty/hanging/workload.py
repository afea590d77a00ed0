"""Hanging: the work of misbehaving, with less time for it."""

from tests.harness.faulty.misbehaving.workload import CASES as OF_MISBEHAVING
from tests.harness.faulty.misbehaving.workload import at_once, judge, prepare

BASELINE = "forever"
CASES = {"tiny": OF_MISBEHAVING["tiny"]._replace(time_limit_s=0.3)}

__all__ = ["BASELINE", "CASES", "at_once", "judge", "prepare"]
