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
    said = "An interval holds for one run. Where a build has several full runs, the median of another lies outside it"
    said += f" {_agreement(values)}"
    if ratios.pairs:
        said += f" The ratio to the baseline, in another run, lies outside its interval {_agreement(ratios)}"
    return said


def note(context: SiteContext) -> str:
    """Say beside a picture with ranges how far numbers move between runs; nothing where no build has several."""
    values, ratios = agreements(context.table, context.site.scenarios)
    if not values.pairs:
        return ""
    what, usual = ("ratios", ratios.usual) if ratios.pairs else ("medians", values.usual)
    said = "Another run may lie outside; what several full runs had follows."
    return f"{said} Between runs, half of the {what} differ by at most {format_spread(usual)}."


def _agreement(found: Agreement) -> str:
    """Say how far a number of another run agrees: the rest of a sentence."""
    share = format_share(found.outside / found.pairs)
    outside = f"in {found.outside:,} of {found.pairs:,} cases ({share})"
    usual = f"Half of the series differ by at most {format_spread(found.usual)}"
    return f"{outside}. {usual}; in {found.moved:,} of {found.series:,} two intervals do not overlap."
