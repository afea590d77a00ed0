"""Hanging: the work of misbehaving, with a short time limit."""

from tests.harness.faulty.misbehaving.workload import CASES as MISBEHAVING
from tests.harness.faulty.misbehaving.workload import at_once, judge, prepare

BASELINE = "forever"
CASES = {"tiny": MISBEHAVING["tiny"]._replace(time_limit_s=0.3)}

__all__ = ["BASELINE", "CASES", "at_once", "judge", "prepare"]
