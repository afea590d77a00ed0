"""Says how far full runs of one build agree, by the scenarios' first metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generate.analysis.between_runs import agreements
from generate.text.numbers import format_share, format_spread

if TYPE_CHECKING:
    from generate.analysis.between_runs import Agreement
    from generate.pages.context import SiteContext


def sentences(context: SiteContext) -> str:
    """Say how often medians and ratios of another run lie outside an interval, and how far they move."""
    values, ratios = agreements(context.table, context.site.scenarios)
    if not values.pairs:
        return "No build has several full runs of the same code yet."
    of_values = f"Where a build has several full runs, the median of another run {_agreement(values)}"
    of_ratios = f" The ratio to the baseline, in another run, {_agreement(ratios)}" if ratios.pairs else ""
    return f"{of_values}{of_ratios}"


def note(context: SiteContext) -> str:
    """Say beside a picture with ranges how far numbers move between runs; nothing where no build has several."""
    values, ratios = agreements(context.table, context.site.scenarios)
    if not values.pairs:
        return ""
    of_ratios = f", half of the ratios by at most {format_spread(ratios.usual)}" if ratios.pairs else ""
    further = f"; {values.moved:,} of {values.series:,} medians by more than their ranges allow" if values.moved else ""
    return f"Between runs half of the medians moved by at most {format_spread(values.usual)}{of_ratios}{further}."


def _agreement(found: Agreement) -> str:
    """Say how far a number of another run agrees: the rest of a sentence."""
    share = format_share(found.outside / found.pairs)
    outside = f"lies outside the interval in {found.outside:,} of {found.pairs:,} cases ({share})"
    usual = f"half of the series differ by at most {format_spread(found.usual)}"
    return f"{outside}: {usual}, and {found.moved:,} of {found.series:,} moved by more than both intervals allow."
