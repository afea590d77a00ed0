"""Server: what becomes of one that goes wrong?"""

from __future__ import annotations

from runners.harness.contract import Ideal, Metric

SOURCE = "S2"
METRICS = (Metric("elapsed_ns", "Time", "ns", "lower"),)
INSIDE_THE_CLOCK = "all of it"
IDEAL = Ideal("there is none")
