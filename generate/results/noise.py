"""How noisy the hours of a run were, from its record alone: how far each baseline differs from itself. Pure."""

from __future__ import annotations

import math
import statistics
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from runners.harness.record.model import Record, Series

TIME = "elapsed_ns"
"""The column by which it is read: nearly every scenario has it."""
FEWEST_ROUNDS = 5


def noise_of(record: Record) -> dict[str, float]:
    """Return by how much, as a logarithm, each control differs from its baseline in the middle of the rounds.

    By the baseline's scenario, case and runner. Nothing of those with too few times to compare, nor of a map: its
    samples are many points, each judged by itself.
    """
    if record.run.profile == "map":
        return {}
    baselines = {each.key[:3]: each for each in record.series if each.role == "subject"}
    controls = {each.key[:3]: each for each in record.series if each.role == "control" and each.key[:3] in baselines}
    apart = {"/".join(place): [*_apart(control, baselines[place])] for place, control in controls.items()}
    return {place: statistics.median(each) for place, each in apart.items() if len(each) >= FEWEST_ROUNDS}


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
