"""What the pages are made from: the current results, grouped once. Pure.

The first of them (`selection` says which) is the one that sentences quote.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

from generate.analysis.selection import in_order
from generate.analysis.summary import Summary

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from generate.analysis.gated import GatedRecord
    from generate.analysis.selection import Cell, CellResult, Host
    from generate.results.model import FileHeader, Listing, Problem
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.record.cells_file import Outcomes


Rows = dict[tuple[str, str], list[Summary]]
"""A file's summaries by scenario and case, the reference build's left out."""


@dataclass(frozen=True)
class CurrentResults:
    """All that a page may speak of."""

    scenarios: Mapping[str, Scenario]
    files: Sequence[FileHeader]
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
        cls, scenarios: Mapping[str, Scenario], listing: Listing, seen: Iterable[GatedRecord], rows: Iterable[Summary]
    ) -> Self:
        """Group *rows* for the pages."""
        seen = list(seen)
        leads, leading = _leads(scenarios, seen), frozenset(one.file.path for one in seen)
        paths = {cell.file.path for cells in leads.values() for cell in cells}
        return cls(scenarios, listing.files, listing.problems, leads, _by_path(rows, paths), leading, listing.runs)

    def rows_of(self, cell: CellResult, scenario: str, case: str) -> list[Summary]:
        """Return a cell's summaries of one case."""
        return self.rows.get(cell.file.path, {}).get((scenario, case), [])

    def cells(self) -> list[CellResult]:
        """Return every cell that is current for some scenario, the first one first."""
        found = {cell.file.path: cell for cells in self.leads.values() for cell in cells}
        return sorted(found.values(), key=lambda cell: cell.precedence, reverse=True)

    def lead(self, scenario: str, case: str | None = None, host: Host | None = None) -> CellResult | None:
        """Return the first cell of a scenario, or the first with *case*: quick runs measure less than full ones.

        With *host*, the first of that machine.
        """
        cells = self.leads[scenario] if host is None else self._of_hosts.get((scenario, host), [])
        return next((cell for cell in cells if case is None or self.rows_of(cell, scenario, case)), None)

    def hosts(self, scenario: str) -> list[Host]:
        """Return the machines that have *scenario*, the first one first."""
        return list(dict.fromkeys(cell.host for cell in self.leads[scenario]))

    def of_host(self, host: Host) -> Self:
        """Return the site as if *host* were the only machine."""
        return replace(self, leads={name: self._of_hosts.get((name, host), []) for name in self.leads})

    def beside_each_other(self, scenario: str, case: str | None = None, host: Host | None = None) -> list[CellResult]:
        """Return the cells of *host*, or of the machine whose cell is the first, in order of build."""
        first = self.lead(scenario, case, host)
        alike = self._of_hosts[scenario, first.host] if first else []
        having = [cell for cell in alike if case is None or self.rows_of(cell, scenario, case)]
        return sorted(having, key=lambda cell: cell.order)

    def scenarios_of(self, cell: CellResult) -> set[str]:
        """Return the scenarios for which a cell's file is current."""
        return self._scenarios[cell.file.path]

    @cached_property
    def _scenarios(self) -> Mapping[str, set[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        for name, cells in self.leads.items():
            for cell in cells:
                found[cell.file.path].add(name)
        return found

    @cached_property
    def _of_hosts(self) -> Mapping[tuple[str, Host], list[CellResult]]:
        """The cells by scenario and machine: to go through all of them for each machine would take their square."""
        found: dict[tuple[str, Host], list[CellResult]] = defaultdict(list)
        for name, cells in self.leads.items():
            for cell in cells:
                found[name, cell.host].append(cell)
        return found


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
