"""What the pages are made from: the current results, grouped once. Pure.

The first of them (`selection` says which) is the one that sentences quote.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

from generate.analysis.gated import why_busy
from generate.analysis.rounds_of_runs import RunsBeside
from generate.analysis.selection import Cell, CellResult, as_said, gives_way, in_order
from generate.analysis.summary import Summary
from generate.text.over_runs import OverRuns
from runners.harness.record.build_names import prerelease, release

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from generate.analysis.gated import GatedRecord
    from generate.analysis.selection import Host
    from generate.results.model import FileHeader, Listing, Problem
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.contract import Metric
    from runners.harness.record.cells_file import RunOutcomes
    from runners.harness.record.model import Series


Rows = dict[tuple[str, str], list[Summary]]
"""A file's summaries by scenario and case."""


@dataclass(frozen=True)
class CurrentResults:
    """All that a page may speak of."""

    scenarios: Mapping[str, Scenario]
    files: Sequence[FileHeader]
    problems: Sequence[Problem]
    current: Mapping[str, list[CellResult]]
    """The current cells of each scenario: the one that sentences quote first."""
    rows: Mapping[str, Rows]
    """By path, of the files that are current for a scenario, and of their `twins`."""
    current_paths: frozenset[str]
    """Paths of the files that all is made from; the others are history."""
    runs_beside: RunsBeside = field(default_factory=RunsBeside, repr=False, compare=False)
    """What the full runs beside the current ones had."""
    files_of: Mapping[Cell, Sequence[FileHeader]] = field(default_factory=dict, repr=False, compare=False)
    """All files that there are, by machine and build: what a reader chooses changes nothing of it."""
    runs: Sequence[RunOutcomes] = ()
    """What became of the cells of hosted runs."""
    build: str = ""
    """The build that alone may be the first of a scenario; empty where any may."""

    @classmethod
    def of(
        cls,
        scenarios: Mapping[str, Scenario],
        listing: Listing,
        records: Sequence[GatedRecord],
        rows: Iterable[Summary],
        runs_beside: RunsBeside | None = None,
    ) -> Self:
        """Group *rows* for the pages: those of *records*, and of their `twins`."""
        current, every = _current(scenarios, records), frozenset(gated.file.path for gated in records)
        paths = {cell.file.path for cells in current.values() for cell in cells} | {
            each.file.path for each in twins(records)
        }
        files_of: dict[Cell, list[FileHeader]] = defaultdict(list)
        for file in listing.files:
            files_of[Cell.of(file)].append(file)
        known = scenarios, listing.files, listing.problems, current, _by_path(rows, paths), every
        return cls(*known, runs_beside or RunsBeside(), files_of, listing.runs)

    def rows_of(self, cell: CellResult, scenario: str, case: str) -> list[Summary]:
        """Return a cell's summaries of one case."""
        return self.rows.get(cell.file.path, {}).get((scenario, case), [])

    def row(self, cell: CellResult, scenario: str, case: str, runner: str, metric: str) -> Summary | None:
        """Return a cell's summary of one runner and metric; None where it has none."""
        key = (runner, "subject", metric)
        rows = self.rows_of(cell, scenario, case)
        return next((row for row in rows if (row.runner, row.role, row.metric) == key), None)

    def value(self, cell: CellResult, scenario: str, case: str, runner: str, metric: str) -> Summary | None:
        """Return that summary where it has a value; None where it has not."""
        row = self.row(cell, scenario, case, runner, metric)
        return row if row and row.median is not None else None

    def without_gil(self, cell: CellResult, scenario: str) -> CellResult | None:
        """Return the cell of the same machine and release without the GIL, the newest of its kind; None where none is.

        None as well where *cell* is one without the GIL itself. A pre-release is no build of the release: between the
        two more has changed than the GIL.
        """
        build = cell.record.build
        own = release(build.version), prerelease(build.version)
        alike = (
            other
            for other in self.current[scenario]
            if other.host == cell.host and other.record.build.free_threaded and not other.record.build.variant
        )
        versions = ((other, other.record.build.version) for other in alike)
        found = next((other for other, version in versions if (release(version), prerelease(version)) == own), None)
        return None if build.free_threaded else found

    def runs_beside_gil(self, cell: CellResult, series: Series, metric: Metric, runner: str = "") -> OverRuns | None:
        """Return how a *series* without the GIL compares with itself, or *runner*, with it in several full runs.

        None of a series that is measured in one run alone.
        """
        own = cell.gated.beside_twin(series, metric, runner)
        if own is None:
            return None
        ratios, code = [own.ratio], cell.gated.code_beside_twin(series.key, runner)
        for gated in self.runs_beside.beside_gil.get((cell.cell, series.scenario), ()):
            if gated.file.path == cell.file.path or gated.code_beside_twin(series.key, runner) != code:
                continue
            same = gated.view.series.get(series.key)
            if same and (compared := gated.beside_twin(same, metric, runner)):
                ratios.append(compared.ratio)
        return OverRuns.of(ratios, own.low, own.high)

    def paired(self, cell: CellResult, scenario: str) -> tuple[CellResult, CellResult | None]:
        """Return *cell* and its like without the GIL: that, and the build with the GIL that its run measured beside it.

        The latter stands in the place of *cell* where that is of another run: times of two runs differ by more than the
        GIL. Without such a run, *cell* and what there is.
        """
        other = self.without_gil(cell, scenario)
        beside = CellResult.of(other.gated.twin) if other and other.gated.twin else None
        if other is None or beside is None or other.record.run.id == cell.record.run.id:
            return cell, other
        has_all = self._cases_of(cell, scenario) <= self._cases_of(beside, scenario)
        return (beside if has_all and not why_busy(beside.record.machine) else cell), other

    def _cases_of(self, cell: CellResult, scenario: str) -> set[str]:
        """Return the cases of a scenario that a cell's file has."""
        return {case for name, case in self.rows.get(cell.file.path, {}) if name == scenario}

    def cells(self) -> list[CellResult]:
        """Return every cell that is current for some scenario, the first one first."""
        return [*self._cells]

    def first(self, scenario: str, case: str | None = None, host: Host | None = None) -> CellResult | None:
        """Return the first cell of a scenario, or the first with *case*: quick runs measure less than full ones.

        With *host*, the first of that machine.
        """
        having = self._having(scenario, case, host)
        return next((cell for cell in having if self.build in {"", cell.build}), None)

    def hosts(self, scenario: str) -> list[Host]:
        """Return the machines that have *scenario*, the first one first."""
        return list(dict.fromkeys(cell.host for cell in self.current[scenario]))

    def machine_name(self, host: Host) -> str:
        """Return what a machine is called in words, by the processor that most of its runs had."""
        return self._machine_names.get(host) or host.machine

    def of_host(self, host: Host) -> Self:
        """Return these results as if *host* were the only machine."""
        return replace(self, current={name: self._of_hosts.get((name, host), []) for name in self.current})

    def of_build(self, build: str) -> Self:
        """Return these results as a reader sees them who has chosen *build*."""
        return replace(self, build=build)

    def beside_each_other(self, scenario: str, case: str | None = None, host: Host | None = None) -> list[CellResult]:
        """Return the cells of *host*, or of the machine whose cell is the first, in order of build."""
        first = next(self._having(scenario, case, host), None)
        alike = self._having(scenario, case, first.host) if first else []
        return sorted(alike, key=lambda cell: cell.order)

    def beside_one_reference(self, scenario: str, case: str | None = None) -> list[CellResult]:
        """Return those beside each other that were measured beside the reference build of the current one."""
        first = self.first(scenario, case)
        beside = self.beside_each_other(scenario, case)
        return [cell for cell in beside if first and cell.record.reference_build == first.record.reference_build]

    def _having(self, scenario: str, case: str | None, host: Host | None) -> Iterator[CellResult]:
        """Go through the cells of a scenario that have *case*, of any build."""
        cells = self.current[scenario] if host is None else self._of_hosts.get((scenario, host), [])
        return (cell for cell in cells if case is None or self.rows_of(cell, scenario, case))

    def scenarios_of(self, cell: CellResult) -> set[str]:
        """Return the scenarios for which a cell's file is current."""
        return self._scenarios[cell.file.path]

    def passed_over(self, cell: CellResult, scenario: str | None = None) -> FileHeader | None:
        """Return the newest file that gives way to a cell's; None where there is none.

        It gives way where its machine was busy, its hours were noisy, or its processor was another than usual.

        With *scenario*, of the files that have it.
        """
        current = cell.file.header
        newer = [file for file in self.files_of.get(cell.cell, ()) if gives_way(file, current, scenario)]
        return max(newer, key=lambda file: file.run.started, default=None)

    @cached_property
    def _cells(self) -> Sequence[CellResult]:
        by_path = {cell.file.path: cell for cells in self.current.values() for cell in cells}
        return as_said(by_path.values())

    @cached_property
    def _machine_names(self) -> Mapping[Host, str]:
        """The newest last."""
        in_time = sorted(self.files, key=lambda file: file.run.started)
        return {Cell.of(file).host: file.machine_name for file in in_time if file.is_usual_processor}

    @cached_property
    def _scenarios(self) -> Mapping[str, set[str]]:
        by_path: dict[str, set[str]] = defaultdict(set)
        for name, cells in self.current.items():
            for cell in cells:
                by_path[cell.file.path].add(name)
        return by_path

    @cached_property
    def _of_hosts(self) -> Mapping[tuple[str, Host], list[CellResult]]:
        """The cells by scenario and machine: to go through all of them for each machine would take their square."""
        of_hosts: dict[tuple[str, Host], list[CellResult]] = defaultdict(list)
        for name, cells in self.current.items():
            for cell in cells:
                of_hosts[name, cell.host].append(cell)
        return of_hosts


def twins(records: Iterable[GatedRecord]) -> list[GatedRecord]:
    """Return the builds beside which *records* have variants, or builds without the GIL, if they are not among them."""
    every = {gated.file.path: gated for gated in records}
    found = {gated.twin.file.path: gated.twin for gated in every.values() if gated.twin}
    return [twin for path, twin in found.items() if path not in every]


def _current(scenarios: Mapping[str, Scenario], records: Iterable[GatedRecord]) -> dict[str, list[CellResult]]:
    current: dict[str, dict[Cell, CellResult]] = {name: {} for name in scenarios}
    for result in in_order(records):
        for name in {series.scenario for series in result.record.series} & scenarios.keys():
            current[name].setdefault(result.cell, result)
    return {name: as_said(cells.values()) for name, cells in current.items()}


def _by_path(rows: Iterable[Summary], paths: set[str]) -> dict[str, Rows]:
    grouped: dict[str, Rows] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row.path in paths:
            grouped[row.path][row.scenario, row.case].append(row)
    return grouped
