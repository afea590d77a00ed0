"""Patient: can a run be interrupted during a sample, and resumed?

The third sample waits for a file named `go_on` in the home folder.
"""

from tests.harness.faulty.misbehaving.scenario import IDEAL, INSIDE_THE_CLOCK, METRICS, SOURCE

__all__ = ["IDEAL", "INSIDE_THE_CLOCK", "METRICS", "SOURCE"]
