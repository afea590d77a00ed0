"""What became of a series, as pages, tables and comparisons say it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.measure import GIL_IS_BACK

if TYPE_CHECKING:
    from runners.harness.record.model import Series, Status


def status_of(series: Series) -> Status:
    """Return a series' status: *unsupported* where its imports turned the GIL on, which older records call *failed*.

    Its packages do not support such a build; nothing went wrong.
    """
    if series.status == "failed" and series.reason == GIL_IS_BACK[0]:
        return "unsupported"
    return series.status
