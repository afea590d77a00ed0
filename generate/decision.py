"""What may decide: where a comparison that has pairs enough still says nothing. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from generate.statistics import Comparison
    from runners.harness.record import Record, Series


def is_whole(series: Series) -> bool:
    """Tell whether every sample of *series* is ok."""
    return series.samples.status.count("ok") == len(series.samples.status)


def decides(record: Record, *compared: Series | None) -> bool:
    """Tell whether a comparison of series of *record* may decide: a quick run may not, nor what failed in a round."""
    # a round that timed out was a slow one: to leave it out would choose among the measurements
    return record.run.profile == "full" and all(one is not None and is_whole(one) for one in compared)


def held_back(found: Comparison | None, *, decides_too: bool) -> Comparison | None:
    """Return a comparison, undecided unless what it was made of may decide."""
    return found if found is None or decides_too else replace(found, decided=False)
