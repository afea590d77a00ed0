"""What the pages are made from: the results that lead them, grouped once. Pure.

The first that leads (`leading` says which) is the one that sentences quote.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from generate.analysis.selection import in_order
from generate.analysis.summary import Summary

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from generate.analysis.gated import GatedRecord
    from generate.analysis.selection import Cell, CellResult, Host
    from generate.results.load import Loaded, Problem, ResultFile
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.record.cells_file import Outcomes


Rows = dict[tuple[str, str], list[Summary]]
"""A file's summaries by scenario and case, the reference build's left out."""


@dataclass(frozen=True)
class CurrentResults:
    """All that a page may speak of."""

    scenarios: Mapping[str, Scenario]
    files: Sequence[ResultFile]
    problems: Sequence[Problem]
    leads: Mapping[str, list[CellResult]]
    """The cells of each scenario, the leading one first."""
    rows: Mapping[str, Rows]
    """By path, of the files that lead somewhere."""
    leading: frozenset[str]
    """Paths of the files that all is made from; the others are history."""
    runs: Sequence[Outcomes] = ()
    """What became of the cells of hosted runs."""

    @classmethod
    def of(
        cls, scenarios: Mapping[str, Scenario], loaded: Loaded, seen: Iterable[GatedRecord], rows: Iterable[Summary]
    ) -> Self:
        """Group *rows* for the pages."""
        seen = list(seen)
        leads, leading = _leads(scenarios, seen), frozenset(one.file.path for one in seen)
        paths = {cell.file.path for cells in leads.values() for cell in cells}
        return cls(scenarios, loaded.files, loaded.problems, leads, _by_path(rows, paths), leading, loaded.runs)

    def rows_of(self, cell: CellResult, scenario: str, case: str) -> list[Summary]:
        """Return a cell's summaries of one case."""
        return self.rows.get(cell.file.path, {}).get((scenario, case), [])

    def cells(self) -> list[CellResult]:
        """Return every cell that leads for some scenario, the leading one first."""
        found = {cell.file.path: cell for cells in self.leads.values() for cell in cells}
        return sorted(found.values(), key=lambda cell: cell.standing, reverse=True)

    def lead(self, scenario: str, case: str | None = None, host: Host | None = None) -> CellResult | None:
        """Return the cell that leads a scenario, or the first with *case*: quick runs measure less than full ones.

        With *host*, the one that leads on that machine.
        """
        cells = (cell for cell in self.leads[scenario] if host in {None, cell.host})
        return next((cell for cell in cells if case is None or self.rows_of(cell, scenario, case)), None)

    def hosts(self, scenario: str) -> list[Host]:
        """Return the machines that have *scenario*, the leading one first."""
        return list(dict.fromkeys(cell.host for cell in self.leads[scenario]))

    def of_host(self, host: Host) -> Self:
        """Return the site as if *host* were the only machine."""
        return replace(
            self, leads={name: [cell for cell in cells if cell.host == host] for name, cells in self.leads.items()}
        )

    def beside_each_other(self, scenario: str, case: str | None = None, host: Host | None = None) -> list[CellResult]:
        """Return the cells of *host*, or the machine that leads *scenario* (or that case of it), in order of build."""
        lead = self.lead(scenario, case, host)
        alike = [cell for cell in self.leads[scenario] if lead is not None and cell.host == lead.host]
        having = [cell for cell in alike if case is None or self.rows_of(cell, scenario, case)]
        return sorted(having, key=lambda cell: cell.order)


def _leads(scenarios: Mapping[str, Scenario], seen: Iterable[GatedRecord]) -> dict[str, list[CellResult]]:
    found: dict[str, dict[Cell, CellResult]] = {name: {} for name in scenarios}
    for cell in in_order(seen):
        for name in {series.scenario for series in cell.record.series} & scenarios.keys():
            found[name].setdefault(cell.column, cell)
    return {name: list(cells.values()) for name, cells in found.items()}


def _by_path(rows: Iterable[Summary], paths: set[str]) -> dict[str, Rows]:
    grouped: dict[str, Rows] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row.path in paths and row.role != "reference":
            grouped[row.path][row.scenario, row.case].append(row)
    return grouped
