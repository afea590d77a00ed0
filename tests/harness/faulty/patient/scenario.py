"""Patient: can a run be cut off in the middle of a sample, and gone on with?

The third sample waits for a file named `go_on` in the folder for temporary files.
"""

from tests.harness.faulty.misbehaving.scenario import IDEAL, INSIDE_THE_CLOCK, METRICS, SOURCE

__all__ = ["IDEAL", "INSIDE_THE_CLOCK", "METRICS", "SOURCE"]
