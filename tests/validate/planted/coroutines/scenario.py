"""Coroutines: the same ones, one after another and as tasks. To set two ways of measuring side by side."""

from __future__ import annotations

from runners.harness.contract import Ideal, Metric

SOURCE = "S3"
METRICS = (Metric("elapsed_ns", "Time for all coroutines", "ns", "lower"),)
INSIDE_THE_CLOCK = "all of it"
IDEAL = Ideal("none: it is a test of the statistics")
