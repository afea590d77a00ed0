"""Sums up how a build compares with the first: what is plainly faster or slower there. Pure."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generate.statistics.noise import beyond_noise, distance
from generate.text.numbers import counted, say
from generate.text.units import DURATION, RATE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generate.statistics.intervals import Comparison
    from generate.text.units import Kind

MOST = 10
"""Of what is plainly different on a build, so much is named, the farthest first: the tables have the rest."""


@dataclass(frozen=True, slots=True)
class Change:
    """How a runner on a build compares with itself on the first."""

    what: str
    """Runner, scenario and case."""
    compared: Comparison
    noise: Comparison | None
    """How far the baseline lay from itself; None where that is not known: then nothing is plain."""
    kind: Kind
    better: str
    """Of the metric: lower, higher or neither."""

    @property
    def is_plain(self) -> bool:
        """Whether it differs, and by more than the noise."""
        return beyond_noise(self.compared, self.noise)

    @property
    def way(self) -> str:
        """Which way it differs, in a word: to be late or to need memory is not to be slow."""
        if self.better not in {"lower", "higher"}:
            return "different"
        is_better = (self.compared.ratio < 1) is (self.better == "lower")
        if self.kind in {DURATION, RATE}:
            return "faster" if is_better else "slower"
        return "better" if is_better else "worse"

    @property
    def words(self) -> str:
        """It in one line."""
        return f"{self.way}: {self.what}: {say(self.compared, self.kind, self.noise)}"


def closing(name: str, first: str, changes: Sequence[Change]) -> list[str]:
    """Sum up the *changes* of the build called *name* beside the *first*: how many are plain, and then those."""
    if not changes:
        return []
    plain = [change for change in changes if change.is_plain]
    plain.sort(key=lambda change: distance(change.compared.ratio), reverse=True)
    head = f"{name} beside {first}: of {counted(len(changes), 'comparison')}, {_count(changes, plain)}"
    more = [f"and {len(plain) - MOST} more, in the tables above"] if len(plain) > MOST else []
    return [head, *(f"  {line}" for line in [*(change.words for change in plain[:MOST]), *more])]


def _count(changes: Sequence[Change], plain: Sequence[Change]) -> str:
    if not any(change.compared.decided for change in changes):
        return "none is decided"
    ways = Counter(change.way for change in plain)
    said = [f"{number} {'is' if number == 1 else 'are'} plainly {way}" for way, number in sorted(ways.items())]
    return ", ".join(said) or "none shows a plain difference"
