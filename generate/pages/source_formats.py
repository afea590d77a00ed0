"""What some scenarios show beside the usual tables: ab's report of a server, a change before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generate.data.apache_bench import LATENCIES, PERCENTS, report
from generate.pages.tables import Head, RatioCell
from generate.pages.templates import fragment
from generate.words.units import kind_of_metric

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markupsafe import Markup

    from generate.data.results import Results
    from generate.data.selection import Result
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.record.model import Series

BEFORE, AFTER = "before", "after"
"""Runners whose names differ in this word alone are one change, before and after."""


def extras(site: Results, name: str, case: str, *, cell: Result | None = None, is_open: bool = False) -> list[Markup]:
    """Return what a case of scenario *name* has beside its tables, of *cell* or of the result that pages begin with.

    What a change changed is unfolded if it *is open*; what Apache Bench prints is long, and stays folded.
    """
    if (cell := cell or site.first(name, case)) is None:
        return []
    series = {
        of_runner.runner: of_runner
        for of_runner in cell.record.series
        if (of_runner.scenario, of_runner.case, of_runner.role) == (name, case, "subject")
    }
    report_of_ab = _ab(site.scenarios[name], cell, case, series)
    changes = _changes(site, cell, name, series)
    shown = (
        fragment(
            "change.html",
            rows=changes,
            cell=cell,
            case=case,
            words=site.scenarios[name].case_words(case),
            is_open=is_open,
        )
        if changes
        else None
    )
    fragments = [report_of_ab, shown]
    return [*filter(None, fragments)]


def _ab(scenario: Scenario, cell: Result, case: str, series: Mapping[str, Series]) -> Markup | None:
    """Return ab's tables where the samples hold latencies."""
    if not any(LATENCIES in of_runner.samples.values for of_runner in series.values()):
        return None
    at_once = int(scenario.cases[case].parameters.get("at_once", 1))
    runners = scenario.runners
    servers = [
        {"name": runner, "family": runners[runner].family, "report": report(series[runner], at_once)}
        for runner in sorted(series)
        if runner in runners and series[runner].key not in cell.newest.rejected
    ]
    percents = [Head(f"{percent} %", "n") for percent in PERCENTS]
    shown = {"servers": servers, "at_once": at_once, "percents": percents}
    return fragment("ab.html", cell=cell, case=case, **shown)


def _changes(site: Results, cell: Result, name: str, series: Mapping[str, Series]) -> list[dict[str, Any]]:
    """Return a change in each row, before and after, where runners are named so."""
    pairs = [(runner, runner.replace(BEFORE, AFTER)) for runner in sorted(series) if BEFORE in runner.split("_")]
    return [_change(site, cell, name, series[before], series[after]) for before, after in pairs if after in series]


def _change(site: Results, cell: Result, name: str, before: Series, after: Series) -> dict[str, Any]:
    """Compare two runners by their own pairs. The ratio is after / before; the source printed before / after."""
    metric = site.scenarios[name].metrics[0]
    rows = {
        row.runner: row
        for row in site.case_rows(cell, name, before.case)
        if row.metric == metric.name and row.role == "subject"
    }
    ratio = cell.ratio(after.key, before.key, metric)
    return {
        "before": rows[before.runner],
        "after": rows[after.runner],
        "compared": RatioCell.in_words(ratio, kind_of_metric(metric)),
    }
