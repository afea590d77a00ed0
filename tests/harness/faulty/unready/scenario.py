"""Unready: is a server ended that never says that it listens?"""

from tests.harness.faulty.server.scenario import IDEAL, INSIDE_THE_CLOCK, METRICS, SOURCE

__all__ = ["IDEAL", "INSIDE_THE_CLOCK", "METRICS", "SOURCE"]
