"""Hanging: is a runner ended that never comes to an end?"""

from tests.harness.faulty.misbehaving.scenario import IDEAL, INSIDE_THE_CLOCK, METRICS, SOURCE

__all__ = ["IDEAL", "INSIDE_THE_CLOCK", "METRICS", "SOURCE"]
