"""Server: what happens to one that goes wrong?"""

from tests.harness.faulty.misbehaving.scenario import IDEAL, INSIDE_THE_CLOCK, METRICS, SOURCE

__all__ = ["IDEAL", "INSIDE_THE_CLOCK", "METRICS", "SOURCE"]
