"""Misbehaving: what happens to a runner that goes wrong?

Three numbers are doubled, one at a time. Every runner except the baseline goes wrong, one in the way of a parameter.
"""

from __future__ import annotations

from runners.harness.contract import Ideal, Metric

SOURCE = "S1"
METRICS = (Metric("elapsed_ns", "Time", "ns", "lower"),)
INSIDE_THE_CLOCK = "all of it"
IDEAL = Ideal("there is none: nothing is waited for")
