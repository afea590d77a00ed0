"""What makes a difference more than noise: the baseline measured against itself decides. Pure."""

from __future__ import annotations

import math
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING

from generate.statistics.quick import is_few

if TYPE_CHECKING:
    from generate.statistics.intervals import Comparison

SMALL = 1.05
"""Below this ratio a difference is none to who reads a headline, however sure it is."""


class Finding(StrEnum):
    """What a comparison shows beside what the baseline shows against itself. The values are words for tables."""

    UNDECIDED = "not decided"
    INSIDE = "median inside the noise"
    """The median lies in the noise band."""
    NONE = "no difference seen"
    """The interval holds 1."""
    REACHES = "reaches into the noise"
    """The median lies outside the noise band, and the interval overlaps it."""
    BEYOND = "beyond the noise"
    """The whole interval lies outside the noise band, or, without a control, outside 1."""


NOT_SEEN = frozenset({Finding.INSIDE, Finding.NONE})
"""No difference is seen, or none that the noise does not have."""


def noise_band(control: Comparison) -> tuple[float, float]:
    """Return the ratios that a difference must leave to be more than noise.

    *control* compares the baseline with itself, measured under a second name. Which of the two is divided by the other
    is arbitrary, so the band is the control's interval made symmetric about 1 on a scale of ratios.
    """
    reach = max(control.high, 1 / control.low if control.low > 0 else math.inf, 1.0)
    return 1 / reach, reach


def band_of_median(control: Comparison) -> tuple[float, float]:
    """Return what the median of few rounds must leave: the control's own median, made symmetric in the same way.

    Bounds by the rule for few rounds have the noise of the whole block in them, the control's too; its interval on top
    would count that twice.
    """
    reach = distance(control.ratio)
    return 1 / reach, reach


def distance(ratio: float) -> float:
    """Return how far *ratio* lies from 1, either way: a ratio from 1 up."""
    return max(ratio, 1 / ratio) if ratio > 0 else math.inf


def wider(control: Comparison, second: Comparison | None) -> Comparison:
    """Return *control* stretched to a *second* one, where there is one: its bounds too, and the farther median."""
    if second is None:
        return control
    farther = max(control.ratio, second.ratio, key=distance)
    return replace(control, ratio=farther, low=min(control.low, second.low), high=max(control.high, second.high))


def finding_of(candidate: Comparison, control: Comparison | None) -> Finding:
    """Say what *candidate* shows. *control* is the baseline against itself; without one no noise is known."""
    if not candidate.decided:
        return Finding.UNDECIDED
    if candidate.quick and not candidate.differs:
        return Finding.UNDECIDED  # few rounds never show that there is no difference
    is_by_few = candidate.quick and is_few(candidate.pairs)
    band = band_of_median if is_by_few else noise_band
    low, high = band(control) if control is not None else (1.0, 1.0)
    if control is not None and low <= candidate.ratio <= high:
        return Finding.INSIDE
    if is_by_few:
        return Finding.BEYOND
    if not candidate.differs:
        return Finding.NONE
    return Finding.REACHES if candidate.low <= high and candidate.high >= low else Finding.BEYOND


def beyond_noise(candidate: Comparison, control: Comparison | None) -> bool:
    """Say whether *candidate* differs from the baseline, and by more than the baseline from itself.

    Without a control nothing can be said to be beyond noise.
    """
    return control is not None and finding_of(candidate, control) is Finding.BEYOND


def smallest_detectable(control: Comparison) -> float | None:
    """Return the ratio above 1 that about nine in ten runs with this noise would tell from 1; None where none.

    It is the whole width of the control's interval, high / low: a median of ratios lies within half a width of the
    truth, and its interval reaches half a width further. Both widths are estimated from few rounds, so it is 91 % of
    runs at 12 rounds and 90 % at 9, for normal noise. Downwards it is the reciprocal.
    """
    return control.high / control.low if control.low > 0 else None
