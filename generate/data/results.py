"""What the pages are made from: the current results, grouped once. Pure."""

from __future__ import annotations

import functools
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

from generate.data.files import find_companions
from generate.data.selection import Result, ResultKey, current_pools
from generate.data.table import summarise
from runners.harness import matrix
from runners.harness.record.build_names import prerelease, release

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

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
    """All that a page may show."""

    scenarios: Mapping[str, Scenario]
    files: Sequence[FileHeader]
    problems: Sequence[Problem]
    current: Mapping[str, list[Result]]
    """The results of each scenario: the one that pages begin with first."""
    rows: Mapping[ResultKey, Rows]
    runs: Sequence[RunOutcomes] = ()
    """What became of the cells of hosted runs."""

    @classmethod
    def of(
        cls,
        scenarios: Mapping[str, Scenario],
        listing: Listing,
        records: Sequence[CheckedRecord],
        between: BetweenRuns,
        machine_names: Mapping[MachineKey, str] | None = None,
    ) -> Self:
        """Pool the runs of *records*, and summarise them."""
        by_path = {record.file.path: record for record in records}
        order = _Order(listing.files)
        current: dict[str, list[Result]] = {}
        rows: dict[ResultKey, Rows] = defaultdict(lambda: defaultdict(list))
        for name, pools in current_pools(scenarios, [record.file.header for record in records]).items():
            results = [
                Result(
                    key,
                    tuple(by_path[file.path] for file in files),
                    between,
                    (machine_names or {}).get(key.machine_key, key.machine),
                )
                for key, files in pools.items()
            ]
            current[name] = sorted(results, key=order.key)
            for result in current[name]:
                for row in summarise([result], name):
                    rows[result.key][name, row.case].append(row)
        return cls(scenarios, listing.files, listing.problems, current, rows, listing.runs)

    @cached_property
    def current_paths(self) -> frozenset[str]:
        """Paths of the files that are pooled; the others are history."""
        return frozenset(run.file.path for results in self.current.values() for each in results for run in each.runs)

    def case_rows(self, result: Result, scenario: str, case: str) -> list[Summary]:
        """Return a result's summaries of one case."""
        return self.rows.get(result.key, {}).get((scenario, case), [])

    def row(self, result: Result, scenario: str, case: str, runner: str, metric: str) -> Summary | None:
        """Return a result's summary of one runner and metric."""
        key = (runner, "subject", metric)
        rows = self.case_rows(result, scenario, case)
        return next((row for row in rows if (row.runner, row.role, row.metric) == key), None)

    def value(self, result: Result, scenario: str, case: str, runner: str, metric: str) -> Summary | None:
        """Return that summary if it has a value."""
        row = self.row(result, scenario, case, runner, metric)
        return row if row and row.value is not None else None

    @property
    def table(self) -> list[Summary]:
        """Every summary: scenarios in order, the results of each in theirs."""
        return [
            row
            for name in self.scenarios
            for result in self.current[name]
            for (scenario, _), rows in self.rows.get(result.key, {}).items()
            if scenario == name
            for row in rows
        ]

    def without_gil(self, result: Result, scenario: str) -> Result | None:
        """Return the result without the GIL on the same machine and release; None if *result* is that itself.

        A pre-release is no counterpart of the release.
        """
        build = result.record.build
        own = release(build.version), prerelease(build.version)
        for other in self.current[scenario]:
            theirs = other.record.build
            is_like = other.machine_key == result.machine_key and theirs.free_threaded and not theirs.variant
            if is_like and (release(theirs.version), prerelease(theirs.version)) == own:
                return None if build.free_threaded else other
        return None

    def cells(self) -> list[Result]:
        """Return every machine and build that has a current result, with all of its runs."""
        return [*self._cells]

    def first(self, scenario: str, case: str | None = None, machine_key: MachineKey | None = None) -> Result | None:
        """Return the result that pages begin with, if given with this *case* (quick runs have fewer) and machine."""
        return next(self._with_case(scenario, case, machine_key), None)

    def machine_keys(self, scenario: str) -> list[MachineKey]:
        """Return the machines that have *scenario*, the first one first."""
        return list(dict.fromkeys(result.machine_key for result in self.current[scenario]))

    def machine_name(self, machine_key: MachineKey) -> str:
        """Return a machine's name in words."""
        return self._machine_names.get(machine_key) or machine_key.machine

    def on_machine(self, machine_key: MachineKey) -> Self:
        """Return these results as if the machine were the only one."""
        only = {
            name: [each for each in every if each.machine_key == machine_key] for name, every in self.current.items()
        }
        return replace(self, current=only)

    def on_one_machine(
        self, scenario: str, case: str | None = None, machine_key: MachineKey | None = None
    ) -> list[Result]:
        """Return the results of a machine, or of the one that pages begin with, in order of build."""
        first = self.first(scenario, case, machine_key)
        alike = self._with_case(scenario, case, first.machine_key) if first else []
        return sorted(alike, key=lambda result: result.order)

    def with_one_reference(self, scenario: str, case: str | None = None) -> list[Result]:
        """Return those of one machine that have the first one's reference build."""
        first = self.first(scenario, case)
        alike = self.on_one_machine(scenario, case)
        return [each for each in alike if first and each.record.reference_build == first.record.reference_build]

    def _with_case(self, scenario: str, case: str | None, machine_key: MachineKey | None) -> Iterator[Result]:
        for result in self.current[scenario]:
            is_wanted = machine_key is None or result.machine_key == machine_key
            if is_wanted and (case is None or self.case_rows(result, scenario, case)):
                yield result

    @cached_property
    def _cells(self) -> Sequence[Result]:
        runs: dict[ResultKey, dict[str, CheckedRecord]] = defaultdict(dict)
        first: dict[ResultKey, Result] = {}
        for result in (each for results in self.current.values() for each in results):
            first.setdefault(result.key, result)
            runs[result.key] |= {run.file.path: run for run in result.runs}
        pooled = [
            replace(result, runs=tuple(sorted(runs[result.key].values(), key=_when, reverse=True)))
            for result in first.values()
        ]
        return sorted(pooled, key=_Order([run.file.header for result in pooled for run in result.runs]).key)

    @cached_property
    def _machine_names(self) -> Mapping[MachineKey, str]:
        return {each.machine_key: each.machine_name for results in self.current.values() for each in results}


@functools.cache
def _hosted_labels() -> list[str]:
    return [machine.label for machine in matrix.read().machine]


class _Order:
    """Sorts results, the one that pages begin with first.

    What may decide; of that one's own machine, then the one with most runs; on it the newest final Python that was
    measured with and without the GIL, then newer and older ones, then pre-releases and variants.
    """

    def __init__(self, files: Sequence[FileHeader]) -> None:
        counting = [file for file in files if not file.why_excluded]
        companions = find_companions(files)
        self._runs = Counter(ResultKey.of(file).machine_key for file in counting)
        self._paired = {
            (ResultKey.of(file).machine_key, file.build.version)
            for file in counting
            if file.build.free_threaded and not file.build.variant and companions[file.path].counterpart
        }

    def key(self, result: Result) -> tuple[object, ...]:
        build, (implementation, version, _, _) = result.record.build, result.order
        is_paired = (result.machine_key, build.version) in self._paired and not prerelease(build.version)
        labels = _hosted_labels()
        return (
            bool(build.variant),
            bool(result.why_undecided),
            not result.key.local,
            -self._runs[result.machine_key],
            labels.index(result.machine) if result.machine in labels else len(labels),
            result.machine_key,
            build.free_threaded,
            bool(prerelease(build.version)),
            not is_paired,
            implementation,
            tuple(-part for part in version.release),
            result.build,
        )


def _when(record: CheckedRecord) -> tuple[str, str]:
    return record.file.record.run.started, record.file.path
