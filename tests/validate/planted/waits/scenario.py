"""Waits: is work that waits a tenth more often seen to take a tenth longer?"""

from tests.validate.planted.additions.scenario import IDEAL, INSIDE_THE_CLOCK, METRICS, SOURCE

__all__ = ["IDEAL", "INSIDE_THE_CLOCK", "METRICS", "SOURCE"]
