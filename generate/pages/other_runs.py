"""Says how far full runs of one build agree, by the scenarios' first metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generate.analysis.between_runs import agreements, counts
from generate.text.numbers import counted, format_share, format_spread

if TYPE_CHECKING:
    from generate.analysis.between_runs import RunAgreement
    from generate.pages.context import SiteContext


def sentences(context: SiteContext) -> str:
    """Say how often medians and ratios of another run lie outside an interval, and how far they move."""
    values, ratios = agreements(context.table, context.site.scenarios)
    if not values.pairs:
        return "No build has several full runs of the same code and packages yet."
    shown, of_values = "lies outside the interval shown here", _agreement(values)
    if not ratios.pairs:
        return f"In another full run, a median {shown} {of_values}"
    own = f"A value itself, such as a time or a rate, {shown} {of_values}"
    return f"In another full run, a ratio to the baseline {shown} {_agreement(ratios)} {own}"


def noisy_runs(context: SiteContext) -> str:
    """Say of how many full runs the hours were so noisy that they give way to a calmer one; empty where of none."""
    full = [file for file in context.site.files if counts(file) and not file.is_variant]
    noisy = sum(file.is_loud for file in full)
    if not noisy:
        return ""
    of_all = f"Of {counted(len(full), 'full run')} of a build here, {noisy:,}"
    return f"{of_all} {'was' if noisy == 1 else 'were'} measured in hours that were noisy in this sense."


def note(context: SiteContext) -> str:
    """Say beside a picture with ranges how far numbers move between runs; nothing where no build has several."""
    values, ratios = agreements(context.table, context.site.scenarios)
    if not values.pairs:
        return ""
    what, found = ("ratios", ratios) if ratios.pairs else ("medians", values)
    share, usual = format_share(found.outside / found.pairs), format_spread(found.usual)
    outside = f"In another run, {share} of the site's {what} lie outside the range given here"
    several = "After a semicolon stand the smallest and the largest of several runs"
    calm = "Where the hours of a run were noisy, a calmer one is shown"
    return f"{outside}; between runs, half of them differ by at most {usual}. {several}. {calm}."


def _agreement(found: RunAgreement) -> str:
    """Say how far a number of another run agrees: the rest of a sentence."""
    share = format_share(found.outside / found.pairs)
    usual = f"between runs half of the series differ by at most {format_spread(found.usual)}"
    apart = f"in {found.moved:,} of {found.series:,} the intervals of two runs do not overlap"
    return f"in {share} of cases ({found.outside:,} of {found.pairs:,}); {usual}, and {apart}."
