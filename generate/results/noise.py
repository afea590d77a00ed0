"""How noisy the hours of a run were, from its record alone: how far a baseline differs from itself. Pure."""

from __future__ import annotations

import math
import statistics
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from runners.harness.record.model import Record, Series

TIME = "elapsed_ns"
"""The column by which it is read: nearly every scenario has it."""
FEWEST_CONTROLS = 5
"""With fewer a single scenario would stand for the hour."""
FEWEST_ROUNDS = 5


def noise_of(record: Record) -> float | None:
    """Return by how much, as a logarithm, a control differs from its baseline in the middle: over rounds, then blocks.

    None where too few blocks have a time to compare, and of a map: its samples are many points, each judged by itself.
    """
    if record.run.profile == "map":
        return None
    baselines = {(each.scenario, each.case, each.runner): each for each in record.series if each.role == "subject"}
    controls = (each for each in record.series if each.role == "control")
    pairs = ((each, baselines.get((each.scenario, each.case, each.runner))) for each in controls)
    apart = [[*_apart(control, baseline)] for control, baseline in pairs if baseline]
    middles = [statistics.median(each) for each in apart if len(each) >= FEWEST_ROUNDS]
    return statistics.median(middles) if len(middles) >= FEWEST_CONTROLS else None


def _apart(control: Series, baseline: Series) -> Iterator[float]:
    own, theirs = _times(control), _times(baseline)
    for number in own.keys() & theirs.keys():
        yield abs(math.log(own[number] / theirs[number]))


def _times(series: Series) -> Mapping[int, float]:
    """Return the times of a series by round: those above zero, as nothing else has a ratio."""
    values = series.samples.values.get(TIME, [])
    return {
        number: value
        for number, value in zip(series.samples.round, values, strict=False)
        if isinstance(value, int | float) and value > 0
    }
