"""Patient: can a run be cut off in the middle of a sample, and gone on with?

The third sample waits for a file named `go_on` in the folder for temporary files.
"""

from runners.harness.contract import Case
from tests.harness.faulty.misbehaving import IDEAL, INSIDE_THE_CLOCK, METRICS, SOURCE, at_once, judge, prepare

BASELINE = "waits"
CASES = {"tiny": Case({"size": "tiny", "way": "counts"}, warm_up={"way": ""})}

__all__ = ["BASELINE", "CASES", "IDEAL", "INSIDE_THE_CLOCK", "METRICS", "SOURCE", "at_once", "judge", "prepare"]
