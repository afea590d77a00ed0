"""Waits: is work that waits a tenth more often seen to take a tenth longer?"""

from runners.harness.contract import Metric
from tests.validate.planted.additions.scenario import IDEAL, INSIDE_THE_CLOCK, SOURCE

METRICS = (Metric("elapsed_ns", "Time for all waits", "ns", "lower"),)

__all__ = ["IDEAL", "INSIDE_THE_CLOCK", "METRICS", "SOURCE"]
