"""What the pages are made from: the current results, grouped once. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

from generate.data.selection import Result, ResultKey, newest_patches, pool_results
from generate.data.table import summarise
from generate.words.machines import describe_machine, is_virtual, rank
from generate.words.names import strip_markup
from runners.harness.record.build_names import prerelease, release

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from generate.data.between_runs import BetweenRuns
    from generate.data.files import FileHeader, Listing, Problem
    from generate.data.gate import CheckedRecord
    from generate.data.selection import MachineKey
    from generate.data.table import Summary
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.record.cells_file import RunOutcomes

Rows = dict[tuple[str, str], list["Summary"]]
"""A result's summaries by scenario and case."""


@dataclass(frozen=True)
class Results:
    """All that a page may speak of."""

    scenarios: Mapping[str, Scenario]
    files: Sequence[FileHeader]
    problems: Sequence[Problem]
    current: Mapping[str, list[Result]]
    """The results of each scenario: the one that pages begin with first."""
    rows: Mapping[ResultKey, Rows]
    current_paths: frozenset[str]
    """Paths of the files that are pooled; the others are history."""
    runs: Sequence[RunOutcomes] = ()
    """What became of the cells of hosted runs."""
    excluded: Mapping[str, str] = field(default_factory=dict)
    """By path, why a file's run is left out of all pools."""

    @classmethod
    def of(
        cls,
        scenarios: Mapping[str, Scenario],
        listing: Listing,
        records: Sequence[CheckedRecord],
        between: BetweenRuns,
    ) -> Self:
        """Pool the runs of *records*, and sum them up."""
        names = machine_names(listing.files)
        order = _Order(records)
        current: dict[str, list[Result]] = {}
        rows: dict[ResultKey, Rows] = defaultdict(lambda: defaultdict(list))
        for name, scenario in scenarios.items():
            pooled = newest_patches(pool_results(scenario, records, between))
            named = [replace(each, machine_name=names[each.machine_key]) for each in pooled.values()]
            current[name] = sorted(named, key=order.key)
            for result in current[name]:
                for row in summarise([result], name):
                    rows[result.key][name, row.case].append(row)
        paths = frozenset(run.file.path for each in current.values() for result in each for run in result.runs)
        excluded = {gated.file.path: gated.why_excluded for gated in records if gated.why_excluded}
        return cls(scenarios, listing.files, listing.problems, current, rows, paths, listing.runs, excluded)

    def case_rows(self, cell: Result, scenario: str, case: str) -> list[Summary]:
        """Return a result's summaries of one case."""
        return self.rows.get(cell.key, {}).get((scenario, case), [])

    def row(self, cell: Result, scenario: str, case: str, runner: str, metric: str) -> Summary | None:
        """Return a result's summary of one runner and metric; None if it has none."""
        key = (runner, "subject", metric)
        rows = self.case_rows(cell, scenario, case)
        return next((row for row in rows if (row.runner, row.role, row.metric) == key), None)

    def value(self, cell: Result, scenario: str, case: str, runner: str, metric: str) -> Summary | None:
        """Return that summary if it has a value, else None."""
        row = self.row(cell, scenario, case, runner, metric)
        return row if row and row.value is not None else None

    @property
    def table(self) -> list[Summary]:
        """Every summary: scenarios in order, of each the results in theirs."""
        every = (row for cells in self.rows.values() for rows in cells.values() for row in rows)
        places = {(name, cell.address): n for name in self.scenarios for n, cell in enumerate(self.current[name])}
        order = {name: n for n, name in enumerate(self.scenarios)}
        return sorted(every, key=lambda row: (order[row.scenario], places[row.scenario, row.cell]))

    def without_gil(self, cell: Result, scenario: str) -> Result | None:
        """Return the result of the same machine and release without the GIL; None if there is none.

        None too if *cell* is one without the GIL itself. A pre-release is no counterpart of the release.
        """
        build = cell.record.build
        own = release(build.version), prerelease(build.version)
        for other in self.current[scenario]:
            theirs = other.record.build
            is_like = other.machine_key == cell.machine_key and theirs.free_threaded and not theirs.variant
            if is_like and (release(theirs.version), prerelease(theirs.version)) == own:
                return None if build.free_threaded else other
        return None

    def cells(self) -> list[Result]:
        """Return every machine and build that has a current result, with all of its runs."""
        return [*self._cells]

    def first(self, scenario: str, case: str | None = None, host: MachineKey | None = None) -> Result | None:
        """Return the result that pages begin with, of those that have *case*: quick runs measure less than full ones.

        With *host*, that of this machine.
        """
        return next(self._having(scenario, case, host), None)

    def machine_keys(self, scenario: str) -> list[MachineKey]:
        """Return the machines that have *scenario*, the first one first."""
        return list(dict.fromkeys(cell.machine_key for cell in self.current[scenario]))

    def machine_name(self, host: MachineKey) -> str:
        """Return a machine's name in words."""
        return self._machine_names.get(host) or host.machine

    def on_machine(self, host: MachineKey) -> Self:
        """Return these results as if *host* were the only machine."""
        return replace(self, current={name: self._of_hosts.get((name, host), []) for name in self.current})

    def on_one_machine(self, scenario: str, case: str | None = None, host: MachineKey | None = None) -> list[Result]:
        """Return the results of *host*, or of the machine that pages begin with, in order of build."""
        first = next(self._having(scenario, case, host), None)
        alike = self._having(scenario, case, first.machine_key) if first else []
        return sorted(alike, key=lambda cell: cell.order)

    def with_one_reference(self, scenario: str, case: str | None = None) -> list[Result]:
        """Return those that were measured beside the reference build of the first."""
        first = self.first(scenario, case)
        beside = self.on_one_machine(scenario, case)
        return [cell for cell in beside if first and cell.record.reference_build == first.record.reference_build]

    def _having(self, scenario: str, case: str | None, host: MachineKey | None) -> Iterator[Result]:
        cells = self.current[scenario] if host is None else self._of_hosts.get((scenario, host), [])
        return (cell for cell in cells if case is None or self.case_rows(cell, scenario, case))

    @cached_property
    def _cells(self) -> Sequence[Result]:
        """Of each machine and build the runs of all scenarios as one result, in the order of the first scenario."""
        runs: dict[ResultKey, dict[str, CheckedRecord]] = defaultdict(dict)
        first: dict[ResultKey, Result] = {}
        for cell in (each for cells in self.current.values() for each in cells):
            first.setdefault(cell.key, cell)
            runs[cell.key] |= {run.file.path: run for run in cell.runs}
        pooled = [
            replace(cell, runs=tuple(sorted(runs[cell.key].values(), key=_when, reverse=True)), _kept={})
            for cell in first.values()
        ]
        return sorted(pooled, key=_Order([run for cell in pooled for run in cell.runs]).key)

    @cached_property
    def _machine_names(self) -> Mapping[MachineKey, str]:
        return {cell.machine_key: cell.machine_name for cells in self.current.values() for cell in cells}

    @cached_property
    def _of_hosts(self) -> Mapping[tuple[str, MachineKey], list[Result]]:
        of_hosts: dict[tuple[str, MachineKey], list[Result]] = defaultdict(list)
        for name, cells in self.current.items():
            for cell in cells:
                of_hosts[name, cell.machine_key].append(cell)
        return of_hosts


class _Order:
    """What pages begin with.

    What may decide; of that one's own machine, then the one with most runs; on it the newest final Python that was
    measured with and without the GIL, then newer and older ones, then pre-releases and variants.
    """

    def __init__(self, records: Iterable[CheckedRecord]) -> None:
        counting = [gated for gated in records if not gated.why_excluded]
        self._runs = Counter(ResultKey.of(gated.file.header).machine_key for gated in counting)
        self._beside_gil = {
            (ResultKey.of(gated.file.header).machine_key, gated.file.record.build.version)
            for gated in counting
            if gated.has_gil_counterpart
        }

    def key(self, cell: Result) -> tuple[object, ...]:
        build, (implementation, version, _, _) = cell.record.build, cell.order
        is_paired = (cell.machine_key, build.version) in self._beside_gil and not prerelease(build.version)
        return (
            bool(build.variant),
            bool(cell.why_undecided),
            not cell.key.local,
            -self._runs[cell.machine_key],
            rank(cell.machine),
            cell.machine_key,
            build.free_threaded,
            bool(prerelease(build.version)),
            not is_paired,
            implementation,
            tuple(-part for part in version.release),
            cell.build,
        )


def _when(gated: CheckedRecord) -> tuple[str, str]:
    return gated.file.record.run.started, gated.file.path


def machine_names(files: Iterable[FileHeader]) -> dict[MachineKey, str]:
    """Name each machine in words; with its label if others would have the same name."""
    every = [*files]
    machines = {ResultKey.of(file).machine_key: file.machine for file in every}
    virtual = {ResultKey.of(file).machine_key for file in every if is_virtual(file.machine)}
    names = {host: describe_machine(machine, virtual=host in virtual) for host, machine in machines.items()}
    labels: dict[str, set[str]] = defaultdict(set)
    for host, name in names.items():
        labels[name].add(f"{host.machine}{host.processor}")
    return {
        host: name if len(labels[name]) == 1 else f"{name}, {strip_markup(host.machine)}"
        for host, name in names.items()
    }
