"""How long each page of the four sites takes, and what stands in it: the same for every runner, build and host.

Standard library only; the sites and the scenario both compute with it. A page is one task's page at one site. Nothing
depends on the order in which pages are asked for.
"""

from __future__ import annotations

from typing import NamedTuple

MEANS_S = (0.02, 0.04, 0.06, 0.08)
"""Mean latency of each site, in order."""
SHAPE = 1.5
WIDTH = 20.0
"""The heavy tail is a Pareto distribution of this shape, cut where a latency is WIDTH times the shortest."""
_MEAN_OF_SHORTEST_1 = SHAPE / (SHAPE - 1) * (1 - WIDTH ** (1 - SHAPE)) / (1 - WIDTH**-SHAPE)
LONGEST_OF_MEAN = WIDTH / _MEAN_OF_SHORTEST_1
"""No latency is longer than this many times its site's mean: 8.5."""
_64_BITS = 2**64 - 1


class Page(NamedTuple):
    """One page, known by the path of its address."""

    site: int
    """0 to 3."""
    task: int
    tail: bool
    """Whether its latency is drawn from the heavy tail or is its site's mean."""
    seed: int
    factor: float
    """Latencies are multiplied by it."""

    @property
    def path(self) -> str:
        """Its path at its site."""
        return f"/{'tail' if self.tail else 'fixed'}/{self.seed}/{self.factor}/{self.task}"

    @property
    def latency_s(self) -> float:
        """Seconds that its site waits before it answers."""
        mean_s = MEANS_S[self.site] * self.factor
        return mean_s * share_of_mean(_draw(self.seed, self.site, self.task)) if self.tail else mean_s

    @property
    def body(self) -> bytes:
        """What stands in it: about a kilobyte."""
        return b"site %d, task %d\n" % (self.site, self.task) * 64


def page_at(site: int, path: str) -> Page:
    """Return the page of *site* that *path* leads to. Raises ValueError where there is none."""
    _, kind, seed, factor, task = path.split("/")
    page = Page(site, int(task), kind == "tail", int(seed), float(factor))
    if page.path != path:
        msg = f"no page is at {path}"
        raise ValueError(msg)
    return page


def share_of_mean(share: float) -> float:
    """Return the latency, in parts of its mean, that a *share* (0 to 1) of the heavy tail's latencies stay below."""
    shortest = 1 / _MEAN_OF_SHORTEST_1
    return float(shortest * (1 - share * (1 - WIDTH**-SHAPE)) ** (-1 / SHAPE))


def _draw(seed: int, site: int, task: int) -> float:
    """Return a number from 0 to 1 for a page: three turns of SplitMix64, alike on every Python."""
    state = 0
    for word in (seed, site, task):
        state = (state ^ word) + 0x9E3779B97F4A7C15 & _64_BITS
        state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & _64_BITS
        state = (state ^ state >> 27) * 0x94D049BB133111EB & _64_BITS
        state ^= state >> 31
    return (state >> 11) / 2**53
