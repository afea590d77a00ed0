"""How much runs differ beyond their rounds, by block: a committed table that every estimate borrows from.

`make validate` makes it from all runs in results/. A single run can't predict the next, and two do so badly, so a new
machine, and the terminal, borrow from the published runs.
"""

import functools
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from types import MappingProxyType
from typing import Literal, NamedTuple

import msgspec

from runners.harness.errors import UserError

Compared = Literal["value", "within", "across"]
"""A value, a ratio of two series on one build, or a ratio of one series on two builds."""

FILE = "between_runs.json"
FEWEST_SERIES = 10
"""A block with fewer series borrows from its scenario, and that from all scenarios."""
DEFAULT: Mapping[Compared, float] = MappingProxyType({"value": 0.2**2, "within": 0.05**2, "across": 0.03**2})
"""For blocks without any run."""
SMALLEST = 0.005**2
"""No number is known to better than half a per cent: clocks and memory pages come in steps."""


class Block(NamedTuple):
    """Series that are measured back to back."""

    compared: Compared
    scenario: str
    block: str
    metric: str


class Excess(NamedTuple):
    """How much runs differ beyond their rounds, as a variance on the log scale."""

    mean: float
    """Mean over the series; below 0 if rounds explain more than runs show."""
    series: int


@dataclass(frozen=True)
class BetweenRuns:
    blocks: Mapping[Block, Excess] = field(default_factory=dict)

    def variance(self, block: Block) -> float:
        """Return the block's variance between runs. With few series, use its scenario's or the median block's."""
        for known in (self.blocks.get(block), self._scenarios.get((block.compared, block.scenario, block.metric))):
            if known is not None and known.series >= FEWEST_SERIES:
                return max(known.mean, SMALLEST)
        return max(self._usual.get(block.compared, DEFAULT[block.compared]), SMALLEST)

    @functools.cached_property
    def _scenarios(self) -> Mapping[tuple[str, str, str], Excess]:
        sums: dict[tuple[str, str, str], list[float]] = defaultdict(lambda: [0.0, 0])
        for block, each in self.blocks.items():
            total = sums[block.compared, block.scenario, block.metric]
            total[0] += each.mean * each.series
            total[1] += each.series
        return {key: Excess(total / series, int(series)) for key, (total, series) in sums.items() if series}

    @functools.cached_property
    def _usual(self) -> Mapping[str, float]:
        by_kind: dict[str, list[float]] = defaultdict(list)
        for block, each in self.blocks.items():
            by_kind[block.compared].append(each.mean)
        return {compared: median(each) for compared, each in by_kind.items()}


def table(excesses: Iterable[tuple[Block, float]]) -> BetweenRuns:
    by_block: dict[Block, list[float]] = defaultdict(list)
    for block, excess in excesses:
        by_block[block].append(excess)
    return BetweenRuns({block: Excess(sum(each) / len(each), len(each)) for block, each in sorted(by_block.items())})


def encode(between: BetweenRuns) -> bytes:
    """Encode the table for its file, one block a line."""
    lines = [
        msgspec.json.encode([*block, float(f"{each.mean:.4g}"), each.series]).decode()
        for block, each in between.blocks.items()
    ]
    return ("[\n" + ",\n".join(lines) + "\n]\n").encode()


def read(docs: Path) -> BetweenRuns:
    """Read the table; empty if there is none. Raises UserError."""
    path = docs / FILE
    try:
        rows = msgspec.json.decode(path.read_bytes(), type=list[tuple[Compared, str, str, str, float, int]])
    except FileNotFoundError:
        return BetweenRuns()
    except (OSError, msgspec.DecodeError) as error:
        msg = f"{docs.name}/{FILE}: {error}; restore it, or make it again: make validate"
        raise UserError(msg) from error
    return BetweenRuns({Block(*row[:4]): Excess(*row[4:]) for row in rows})
