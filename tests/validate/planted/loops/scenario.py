"""Loops: is a loop that does a tenth more seen to take a tenth longer?"""

from runners.harness.contract import Metric
from tests.validate.planted.additions.scenario import IDEAL, INSIDE_THE_CLOCK, SOURCE

METRICS = (Metric("elapsed_ns", "Time for all turns", "ns", "lower"),)

__all__ = ["IDEAL", "INSIDE_THE_CLOCK", "METRICS", "SOURCE"]
