"""Percentiles as Apache Bench computes them. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def percentile(ordered: Sequence[float], percent: float) -> float:
    """Return a percentile of values that are in ascending order, as Apache Bench computes it.

    That is the value of rank floor(n percent / 100) + 1, counted from 1, and the largest for 100: always one of the
    values, never between two. (Textbooks' nearest rank is ceil(n percent / 100): one lower where n percent / 100 is
    whole. With 120 requests the 50 % here is the 61st value, as on ab's own page.)

    Raises ValueError when there is no value or *percent* is not within 0 to 100.
    """
    if not ordered or not 0 <= percent <= 100:  # noqa: PLR2004 - per cent
        msg = f"no {percent} % of {len(ordered)} values"
        raise ValueError(msg)
    return ordered[min(int(len(ordered) * percent / 100), len(ordered) - 1)]
