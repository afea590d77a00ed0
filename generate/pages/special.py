"""What some scenarios show beside the usual tables: ab's report of a server, a change before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generate.ab import LATENCIES, PERCENTS, report
from generate.decision import decides, held_back
from generate.fragments import fragment
from generate.statistics import FEWEST_PAIRS, compare
from generate.wording import counted, format_ratio_interval, format_value, unturned

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markupsafe import Markup

    from generate.site import Cell, Site
    from runners.harness.record import Series

BEFORE, AFTER = "before", "after"
"""Runners whose names differ in this word alone are one change, before and after."""


def extras(site: Site, name: str, case: str) -> list[Markup]:
    """Return what a case of the cell that leads scenario *name* has beside its tables."""
    if (cell := site.lead(name, case)) is None:
        return []
    series = {
        each.runner: each
        for each in cell.record.series
        if (each.scenario, each.case, each.role) == (name, case, "subject")
    }
    found = [_ab(site, cell, name, case, series), _before_and_after(site, cell, name, case, series)]
    return [each for each in found if each]


def _ab(site: Site, cell: Cell, name: str, case: str, series: Mapping[str, Series]) -> Markup | None:
    """Return ab's tables where the samples hold latencies."""
    if not any(LATENCIES in each.samples.values for each in series.values()):
        return None
    at_once = int(site.scenarios[name].cases[case].parameters.get("at_once", 1))
    reports = [{"name": runner, "report": report(each, at_once)} for runner, each in sorted(series.items())]
    return fragment("ab.html", reports=reports, cell=cell, case=case, at_once=at_once, percents=PERCENTS)


def _before_and_after(site: Site, cell: Cell, name: str, case: str, series: Mapping[str, Series]) -> Markup | None:
    """Return the table of a change, before and after, where runners are named so."""
    pairs = [(runner, runner.replace(BEFORE, AFTER)) for runner in sorted(series) if BEFORE in runner.split("_")]
    rows = [_change(site, cell, name, series[one], series[two]) for one, two in pairs if two in series]
    return fragment("change.html", rows=rows, cell=cell, case=case) if rows else None


def _change(site: Site, cell: Cell, name: str, before: Series, after: Series) -> dict[str, Any]:
    """Compare two runners, paired by round. The ratio is after / before; the source printed before / after."""
    metric = site.scenarios[name].metrics[0]
    values = {each.runner: cell.seen.by_round(each, metric) for each in (before, after)}
    rows = {
        row.runner: row
        for row in site.rows_of(cell, name, before.case)
        if row.metric == metric.name and row.role == "subject"
    }
    found = compare(values[after.runner], values[before.runner])
    compared = held_back(found, decides_too=decides(cell.record, before, after))
    return {
        "before": before.runner,
        "after": after.runner,
        "before_median": format_value(rows[before.runner].median, metric.unit),
        "after_median": format_value(rows[after.runner].median, metric.unit),
        "words": unturned(compared.ratio, metric.unit) if compared else "",
        "interval": format_ratio_interval(compared.low, compared.high) if compared else "",
        "significant": _significant(compared.decided, compared.differs, compared.pairs) if compared else "not measured",
    }


def _significant(decided: bool, differs: bool, pairs: int) -> str:  # noqa: FBT001 - the two facts of a comparison
    if not decided:
        return f"not decided ({counted(pairs, 'round')} of at least {FEWEST_PAIRS})"
    return "yes" if differs else "no"
