"""Additions: the same sum, in a loop and in a generator. Pure Python, to set two ways of measuring side by side."""

from __future__ import annotations

from runners.harness.contract import Ideal, Metric

SOURCE = "S1"
METRICS = (Metric("elapsed_ns", "Time for all of it", "ns", "lower"),)
INSIDE_THE_CLOCK = "all of it"
IDEAL = Ideal("none: it is a test of the statistics")
