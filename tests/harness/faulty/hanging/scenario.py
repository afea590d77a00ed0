"""Hanging: is a runner ended that never comes to an end?"""

from __future__ import annotations

from runners.harness.contract import Ideal, Metric

SOURCE = "S1"
METRICS = (Metric("elapsed_ns", "Time", "ns", "lower"),)
INSIDE_THE_CLOCK = "all of it"
IDEAL = Ideal("there is none")
