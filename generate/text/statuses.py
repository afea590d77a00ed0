"""What the status of a series is called. Pure."""

from __future__ import annotations

_WORDS = {
    "ok": "measured",
    "partial": "measured in part",
    "unsupported": "not supported",
    "timed_out": "ran out of time",
    "not_reached": "not reached",
}


def status_words(status: str) -> str:
    """Return how a *status* reads: "ran out of time"; one that is a word already as it is."""
    return _WORDS.get(status, status)
