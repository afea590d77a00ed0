"""Unready: is a server ended that never says that it listens?"""

from tests.harness.faulty.server import CASES as OF_SERVER
from tests.harness.faulty.server import IDEAL, INSIDE_THE_CLOCK, METRICS, SOURCE, at_once, judge, prepare

BASELINE = "never_ready"
CASES = {"tiny": OF_SERVER["tiny"]._replace(time_limit_s=0.3)}

__all__ = ["BASELINE", "CASES", "IDEAL", "INSIDE_THE_CLOCK", "METRICS", "SOURCE", "at_once", "judge", "prepare"]
