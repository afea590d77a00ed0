"""What may decide: where a comparison that has pairs enough still says nothing. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from generate.statistics.intervals import Comparison
    from runners.harness.record.model import Record, Series


def decides(record: Record, *compared: Series | None) -> bool:
    """Tell whether a comparison of series of *record* may decide: a quick run may not, nor what failed in a round."""
    # a round that timed out was a slow one: to leave it out would choose among the measurements
    whole = all(one is not None and one.samples.status.count("ok") == len(one.samples.status) for one in compared)
    return whole and record.run.profile == "full"


def as_undecided(found: Comparison | None, *, decides_too: bool) -> Comparison | None:
    """Return a comparison, undecided unless what it was made of may decide."""
    return found if found is None or decides_too else replace(found, decided=False)
