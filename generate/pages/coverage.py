"""What was measured: the table of scenarios by builds."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from generate.pages.templates import fragment, root_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from generate.analysis.collection import CurrentResults
    from generate.analysis.selection import CellResult


class Count(NamedTuple):
    """How many series of a scenario have a value on a build."""

    kind: str = "none"
    """all, some or none: the table's mark."""
    text: str = "not measured"


def coverage_table(site: CurrentResults, page: str) -> Markup:
    """Return the table of scenarios by build: how many series of each were measured on its current machine."""
    builds = _builds(site)
    rows = [(scenario, _counts(site, name, builds)) for name, scenario in site.scenarios.items()]
    return fragment("coverage.html", builds=builds, rows=rows, root=root_of(page))


def _builds(site: CurrentResults) -> list[str]:
    """Return the builds that any scenario's current machine has, in order of build."""
    by_build = {cell.build: cell for name in site.scenarios for cell in site.beside_each_other(name)}
    return sorted(by_build, key=lambda build: by_build[build].order)


def _counts(site: CurrentResults, name: str, builds: Sequence[str]) -> list[Count]:
    cells = {cell.build: cell for cell in site.beside_each_other(name)}
    return [_count(site, cells[build], name) if build in cells else Count() for build in builds]


def _count(site: CurrentResults, cell: CellResult, name: str) -> Count:
    metric = site.scenarios[name].metrics[0].name
    has_value = Counter(
        row.median is not None
        for case in site.scenarios[name].cases
        for row in site.rows_of(cell, name, case)
        if row.role == "subject" and row.metric == metric
    )
    text = f"{has_value[True]} of {has_value.total()}"
    if not has_value[True]:
        return Count("none", text)
    return Count("some" if has_value[False] else "all", text)
