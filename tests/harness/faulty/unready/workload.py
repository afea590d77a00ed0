"""Unready: the cases of the server's scenario, with a time limit that is soon over."""

from tests.harness.faulty.server.workload import CASES as OF_SERVER
from tests.harness.faulty.server.workload import at_once, judge, prepare

BASELINE = "never_ready"
CASES = {"tiny": OF_SERVER["tiny"]._replace(time_limit_s=0.3)}

__all__ = ["BASELINE", "CASES", "at_once", "judge", "prepare"]
