"""The ideal of a scenario's first metric, and the efficiency that a series reaches, by round. Pure."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from runners.harness.contract import Ideal, Parameters, Value
    from runners.harness.record.model import Series

    Columns = Mapping[str, Value]
    Compute = Callable[[Parameters, int, Columns], float | None]

ByRound = dict[int, float]
"""Values of the samples that are ok and have one, by round. Finite, in the metric's unit."""
NO_VALUE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What a metric or an ideal raises over columns that an older or a shortened series lacks: it has no value then."""


class Ideals(NamedTuple):
    """The limits of one series' first metric."""

    by_round: ByRound
    """In the metric's unit; empty where there is none."""
    is_fixed: bool
    """Whether no measurement enters them: the same in every round, and without noise."""


NO_IDEALS = Ideals({}, is_fixed=True)


class Watched(Mapping[str, "Value"]):
    """Raw columns that remember whether anybody read them: an ideal that did not is the same in every round."""

    def __init__(self, columns: Columns) -> None:
        """Watch over *columns*."""
        self._columns = columns
        self.was_read = False

    def __getitem__(self, name: str) -> Value:
        """Return a column; `get` and `in` come here as well."""
        self.was_read = True
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        """Go through the names."""
        self.was_read = True
        return iter(self._columns)

    def __len__(self) -> int:
        """Return how many columns there are."""
        self.was_read = True
        return len(self._columns)


def compute_ideals(ideal: Ideal, parameters: Parameters, cores: int, baseline: Series | None, rounds: int) -> Ideals:
    """Return the *ideal* of each of the *rounds* from the *baseline*'s raw columns of that round."""
    if ideal.compute is None:
        return NO_IDEALS
    limit, is_fixed = _fixed_limit(ideal.compute, tuple(parameters.items()), cores)
    if is_fixed:
        return NO_IDEALS if limit is None else Ideals(dict.fromkeys(range(1, rounds + 1), limit), is_fixed=True)
    columns = {row.round: row.values for row in baseline.samples.ok_rows()} if baseline else {}
    by_round: ByRound = {}
    for number in range(1, rounds + 1):
        limit = _limit(ideal.compute, parameters, cores, columns.get(number, {}))
        if limit is not None:
            by_round[number] = limit
    return Ideals(by_round, is_fixed=False)


@functools.lru_cache(maxsize=1000)
def _fixed_limit(compute: Compute, parameters: tuple[tuple[str, Any], ...], cores: int) -> tuple[float | None, bool]:
    """Return the limit that needs no baseline, as by waiting alone, and whether it is one: the same in all files."""
    columns = Watched({})
    limit = _limit(compute, dict(parameters), cores, columns)
    return limit, not columns.was_read


def _limit(compute: Compute, parameters: Parameters, cores: int, baseline: Columns) -> float | None:
    """Ask the scenario for its ideal; None where it has none that is a limit."""
    try:
        limit = compute(parameters, cores, baseline)
    except NO_VALUE:
        return None
    return float(limit) if limit is not None and math.isfinite(limit) and limit > 0 else None


def efficiency_by_round(ideal_by_round: ByRound, measured_by_round: ByRound, better: str) -> ByRound:
    """Return which share of the ideal was reached, by round in ascending order: 1 is the limit itself.

    It is ideal / measured where lower is better and measured / ideal where higher is; nothing where neither is.
    """
    shares: ByRound = {}
    for number in sorted(ideal_by_round.keys() & measured_by_round.keys()):
        ideal, measured = ideal_by_round[number], measured_by_round[number]
        if better == "higher":
            shares[number] = measured / ideal
        elif better == "lower" and measured > 0:
            shares[number] = ideal / measured
    return shares
