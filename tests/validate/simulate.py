"""Tries the statistics on comparisons whose truth is known, made from the noise of our own raw samples. Pure.

A simulated run takes one block of a committed full run, and of its two measurements of the baseline the noise: each
value's ratio to the median of its neighbours in time (both series, two rounds before and after). Two new series are put
together of stretches of three rounds of that noise, drawn with a fixed seed, so that its skew stays and a burst spans
rounds as it did; the drift of the block is laid under both. Their true ratio is 1, or the slowdown put onto one.
"""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass
from itertools import product
from statistics import median, stdev
from typing import TYPE_CHECKING

from generate.statistics import intervals

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generate.analysis.gated import GatedRecord

ROUNDS = (9, 12, 15, 20)
SLOWDOWNS = (0.02, 0.05, 0.10, 0.20)
STRETCH = 3
"""Rounds of noise that stay together."""
NEIGHBOURS = 2
"""Rounds before and after that a value is held against."""
FEWEST_ROUNDS = 9


@dataclass(frozen=True)
class Block:
    """A block of a committed run: its baseline measured twice."""

    scenario: str
    name: str
    """The block's name in its scenario."""
    cell: str
    """What it was measured on: the file's machine and build."""
    drift: tuple[float, ...]
    """The median of each round and its neighbours."""
    noise: tuple[tuple[float, ...], tuple[float, ...]]
    """Of each series, by round: its value divided by the drift."""
    ratios: tuple[float, ...]
    """Control / baseline, by round."""

    @property
    def key(self) -> tuple[str, str]:
        """What the blocks of all cells with the same work have in common."""
        return self.scenario, self.name

    @property
    def spread(self) -> float:
        """Standard deviation of the pairs' ratios."""
        return stdev(self.ratios)


def blocks(records: Sequence[GatedRecord]) -> Iterator[Block]:
    """Return every block in *records* with a control that may decide, in its scenario's first metric."""
    for gated in records:
        for control in gated.file.record.series:
            base = gated.view.baseline(control)
            if control.role != "control" or base is None or not gated.decides(control, base):
                continue
            metric = gated.view.metrics(control)[0]
            values = gated.by_round(base, metric), gated.by_round(control, metric)
            rounds = sorted(values[0].keys() & values[1].keys())
            key = (control.scenario, gated.view.block(control), gated.cell)
            if len(rounds) >= FEWEST_ROUNDS and min(min(each.values()) for each in values) > 0:
                yield _block(key, [[each[number] for number in rounds] for each in values])


def _block(key: tuple[str, str, str], values: Sequence[Sequence[float]]) -> Block:
    count = len(values[0])
    drift = [
        median(value for each in values for value in each[max(0, here - NEIGHBOURS) : here + NEIGHBOURS + 1])
        for here in range(count)
    ]
    first, second = (tuple(value / under for value, under in zip(each, drift, strict=True)) for each in values)
    return Block(*key, tuple(drift), (first, second), tuple(b / a for a, b in zip(*values, strict=True)))


def _series(block: Block, rounds: int, start: int, draw: random.Random) -> list[float]:
    """Return the values of one simulated series."""
    noise: list[float] = []
    while len(noise) < rounds:
        source, begin = draw.choice(block.noise), draw.randrange(len(block.drift))
        noise += [source[(begin + step) % len(source)] for step in range(STRETCH)]
    return [block.drift[(start + number) % len(block.drift)] * noise[number] for number in range(rounds)]


def compared(block: Block, rounds: int, slowdown: float, draw: random.Random) -> intervals.Comparison:
    """Simulate one comparison: a candidate that is slower by *slowdown* against its baseline."""
    start = draw.randrange(len(block.drift))
    baseline, candidate = (_series(block, rounds, start, draw) for _ in range(2))
    found = intervals.comparison([b * (1 + slowdown) / a for a, b in zip(baseline, candidate, strict=True)])
    assert found is not None
    return found


@dataclass
class Tally:
    """What came of many simulated comparisons."""

    runs: int = 0
    seen: int = 0
    """Told apart, in the right direction where there is one."""
    covered: int = 0
    """Intervals that hold the true ratio."""


Tallies = dict[tuple[tuple[str, str], int, float], Tally]
"""By the key of the block, rounds and slowdown; 0 compares like with like."""


def tally(blocks: Sequence[Block], times: int, seed: int = 1, rounds: Sequence[int] = ROUNDS) -> Tallies:
    """Simulate *times* comparisons of each block with each number of rounds and each slowdown."""
    draw = random.Random(seed)  # noqa: S311 - a simulation
    tallies: Tallies = defaultdict(Tally)
    for block, count, slowdown in product(blocks, rounds, (0.0, *SLOWDOWNS)):
        sums = tallies[block.key, count, slowdown]
        for _ in range(times):
            ratio = compared(block, count, slowdown, draw)
            sums.runs += 1
            sums.seen += ratio.differs if slowdown == 0 else ratio.low > 1
            sums.covered += ratio.low <= 1 + slowdown <= ratio.high
    return tallies
