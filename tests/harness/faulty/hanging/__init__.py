"""Hanging: is a runner ended that never comes to an end?"""

from tests.harness.faulty.misbehaving import CASES as OF_MISBEHAVING
from tests.harness.faulty.misbehaving import IDEAL, INSIDE_THE_CLOCK, METRICS, SOURCE, at_once, judge, prepare

BASELINE = "forever"
CASES = {"tiny": OF_MISBEHAVING["tiny"]._replace(time_limit_s=0.3)}

__all__ = ["BASELINE", "CASES", "IDEAL", "INSIDE_THE_CLOCK", "METRICS", "SOURCE", "at_once", "judge", "prepare"]
