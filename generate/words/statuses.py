"""What the status of a series is called, in records and in words. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.measure import GIL_REENABLED

if TYPE_CHECKING:
    from runners.harness.record.model import Series, Status

_WORDS = {
    "ok": "measured",
    "partial": "measured in part",
    "unsupported": "not supported",
    "timed_out": "ran out of time",
    "not_reached": "not reached",
}


def status_of(series: Series) -> Status:
    """Return a series' status: *unsupported* where its imports turned the GIL on, which older records call *failed*.

    Its packages do not support such a build; nothing went wrong.
    """
    return "unsupported" if series.status == "failed" and series.reason == GIL_REENABLED[0] else series.status


def describe_status(status: str) -> str:
    """Return how a *status* reads: "ran out of time"; one that is a word already as it is."""
    return _WORDS.get(status, status)
