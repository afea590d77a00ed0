"""What the pages are made from: the results that lead them, grouped once. Pure.

The first that leads (`leading` says which) is the one that sentences quote.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self, get_type_hints

from generate.analysis.selection import in_order
from generate.analysis.summary import Summary

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import pandas as pd

    from generate.analysis.selection import Cell, CellResult, Host
    from generate.analysis.summaries import GatedRecord
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
        cls, scenarios: Mapping[str, Scenario], loaded: Loaded, seen: Iterable[GatedRecord], frame: pd.DataFrame
    ) -> Self:
        """Group *frame* for the pages."""
        seen = list(seen)
        leads, leading = _leads(scenarios, seen), frozenset(one.file.path for one in seen)
        paths = {cell.file.path for cells in leads.values() for cell in cells}
        return cls(scenarios, loaded.files, loaded.problems, leads, _rows(frame, paths), leading, loaded.runs)

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


def _rows(frame: pd.DataFrame, paths: set[str]) -> dict[str, Rows]:
    wanted = frame[frame["path"].isin(paths) & (frame["role"] != "reference")]
    kinds = get_type_hints(Summary)
    columns = [_column(wanted[name], may_lack=kinds[name] == float | None) for name in kinds]
    grouped: dict[str, Rows] = defaultdict(lambda: defaultdict(list))
    for values in zip(*columns, strict=True):
        row = Summary(*values)
        grouped[row.path][row.scenario, row.case].append(row)
    return grouped


def _column(values: pd.Series[Any], *, may_lack: bool) -> list[Any]:
    """Return a column as a list: row by row, pandas would take ten times as long."""
    found: list[Any] = values.tolist()
    return [None if value != value else value for value in found] if may_lack else found  # noqa: PLR0124 - NaN alone
