"""Misbehaving: what becomes of a runner that goes wrong?

Three numbers are doubled, two at a time at most. Every runner but the first goes wrong in a way of its own.
"""

from __future__ import annotations

from runners.harness.contract import Ideal, Metric

SOURCE = "S1"
METRICS = (Metric("elapsed_ns", "Time", "ns", "lower"),)
INSIDE_THE_CLOCK = "all of it"
IDEAL = Ideal("there is none: nothing is waited for")
