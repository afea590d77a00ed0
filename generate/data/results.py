"""The current results, grouped for pages. Pure."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

from generate.data.between_runs import BetweenRuns
from generate.data.cells_file import RunOutcomes
from generate.data.checked import CheckedRecord
from generate.data.files import MachineKey, Problem, ResultFile, ResultKey, rank_machine
from generate.data.own_results import OwnResult
from generate.data.selection import Result, newest_patches, pool_files, pool_results
from generate.data.table import Summary, summarise
from runners.harness.catalogue.scenarios import Scenario
from runners.harness.record.build_names import prerelease, release


@dataclass(frozen=True)
class Results:
    """Everything that a page may show."""

    scenarios: Mapping[str, Scenario]
    files: Sequence[ResultFile]
    """All, in order of path, without their series."""
    records: Sequence[CheckedRecord]
    """The files that results are made from."""
    current: Mapping[str, list[Result]]
    """By scenario; first the result that pages begin with."""
    rows: Mapping[tuple[ResultKey, str, str], list[Summary]]
    """By result, scenario and case, in the order of `current`."""
    problems: Sequence[Problem] = ()
    runs: Sequence[RunOutcomes] = ()
    """Outcomes of the cells of hosted runs."""
    own: Mapping[str, OwnResult] = field(default_factory=dict)
    """What `try` measured on this machine, by the name of its page."""

    @classmethod
    def pool(
        cls,
        scenarios: Mapping[str, Scenario],
        files: Sequence[ResultFile],
        records: Sequence[CheckedRecord],
        between: BetweenRuns,
        machine_names: Mapping[MachineKey, str] | None = None,
    ) -> Self:
        """Pool and summarise the *records* of those *files* that are needed."""
        order = _Order(files)
        current: dict[str, list[Result]] = {}
        rows: dict[tuple[ResultKey, str, str], list[Summary]] = defaultdict(list)
        for name, keys in pool_current(scenarios, files).items():
            pooled = pool_results(scenarios[name], records, between, machine_names)
            current[name] = sorted((pooled[key] for key in keys), key=order.key)
            for result in current[name]:
                for row in summarise(result, name):
                    rows[result.key, name, row.case].append(row)
        return cls(scenarios, files, records, current, rows)

    @cached_property
    def current_paths(self) -> frozenset[str]:
        """Paths of the files that are pooled; the others are history."""
        return frozenset(run.file.path for results in self.current.values() for each in results for run in each.runs)

    def case_rows(self, result: Result, scenario: str, case: str) -> list[Summary]:
        return self.rows.get((result.key, scenario, case), [])

    def row(self, result: Result, scenario: str, case: str, runner: str, metric: str) -> Summary | None:
        key = (runner, "subject", metric)
        rows = self.case_rows(result, scenario, case)
        return next((row for row in rows if (row.runner, row.role, row.metric) == key), None)

    def value(self, result: Result, scenario: str, case: str, runner: str, metric: str) -> Summary | None:
        """Return the row if it has a value, else None."""
        row = self.row(result, scenario, case, runner, metric)
        return row if row and row.value is not None else None

    @cached_property
    def newest_first(self) -> Self:
        """The same, beginning with the newest final Python, whether or not it was measured without the GIL."""
        order = _Order(self.files, prefer_pairs=False)
        current = {name: sorted(results, key=order.key) for name, results in self.current.items()}
        return replace(self, current=current)

    @property
    def table(self) -> list[Summary]:
        """Every summary, in order of scenario and result."""
        return [row for rows in self.rows.values() for row in rows]

    def without_gil(self, result: Result, scenario: str) -> Result | None:
        """Return the result without the GIL for the same machine and release; None if *result* has none.

        Pre-releases only match themselves.
        """
        build = result.record.build
        own = release(build.version), prerelease(build.version)
        for other in self.current[scenario]:
            theirs = other.record.build
            is_like = other.machine_key == result.machine_key and theirs.free_threaded and not theirs.variant
            if is_like and (release(theirs.version), prerelease(theirs.version)) == own:
                return None if build.free_threaded else other
        return None

    @cached_property
    def results(self) -> Sequence[Result]:
        """Every machine and build with a current result, with all of its runs, in the order of pages."""
        runs: dict[ResultKey, dict[str, CheckedRecord]] = defaultdict(dict)
        first: dict[ResultKey, Result] = {}
        for result in (each for results in self.current.values() for each in results):
            first.setdefault(result.key, result)
            runs[result.key] |= {run.file.path: run for run in result.runs}
        pooled = [
            replace(each, runs=tuple(sorted(runs[each.key].values(), key=lambda run: run.order, reverse=True)))
            for each in first.values()
        ]
        return sorted(pooled, key=_Order(run.file for result in pooled for run in result.runs).key)

    def first(self, scenario: str, case: str | None = None, machine_key: MachineKey | None = None) -> Result | None:
        """Return the result that pages begin with, optionally for a *case* (quick runs have fewer) and a machine."""
        return next(self._with_case(scenario, case, machine_key), None)

    def machine_keys(self, scenario: str) -> list[MachineKey]:
        """Return the machines that measured *scenario*, in the order of pages."""
        return list(dict.fromkeys(result.machine_key for result in self.current[scenario]))

    def machine_name(self, machine_key: MachineKey) -> str:
        every = (each for results in self.current.values() for each in results)
        return next((each.machine_name for each in every if each.machine_key == machine_key), machine_key.machine)

    def machine_results(
        self, scenario: str, case: str | None = None, machine_key: MachineKey | None = None
    ) -> list[Result]:
        """Return a machine's results in order of build, by default for the machine that pages begin with."""
        first = self.first(scenario, case, machine_key)
        alike = self._with_case(scenario, case, first.machine_key) if first else []
        return sorted(alike, key=lambda result: result.order)

    def with_one_reference(self, scenario: str, case: str | None = None) -> list[Result]:
        """Return the results of one machine that share the first result's reference build."""
        first = self.first(scenario, case)
        alike = self.machine_results(scenario, case)
        return [each for each in alike if first and each.record.reference_build == first.record.reference_build]

    def _with_case(self, scenario: str, case: str | None, machine_key: MachineKey | None) -> Iterator[Result]:
        for result in self.current[scenario]:
            is_selected = machine_key is None or result.machine_key == machine_key
            if is_selected and (case is None or self.case_rows(result, scenario, case)):
                yield result


def pool_current(
    scenarios: Mapping[str, Scenario], files: Sequence[ResultFile]
) -> dict[str, dict[ResultKey, list[ResultFile]]]:
    """Return the pooled files of each result that pages show, by scenario."""
    return {name: newest_patches(pool_files(scenario, files)) for name, scenario in scenarios.items()}


def needed_paths(scenarios: Mapping[str, Scenario], files: Sequence[ResultFile]) -> set[str]:
    """Return the paths of all files that results are made from: those pooled, and what they are compared with."""
    pooled = {
        file.path: file for each in pool_current(scenarios, files).values() for every in each.values() for file in every
    }
    related = (path for file in pooled.values() for path in (file.reference_path, file.counterpart_path))
    return {*pooled, *filter(None, related)}


class _Order:
    """Sorts results into the order of pages.

    Results that may decide come first: your own machine's, then the results of the machine with most runs. On each
    machine, first the newest final Python measured with and without the GIL, then others by age, then pre-releases and
    variants. Without *prefer_pairs*, the newest final Python comes first even if it has no counterpart.
    """

    def __init__(self, files: Iterable[ResultFile], *, prefer_pairs: bool = True) -> None:
        counting = [(file.key.machine_key, file) for file in files if not file.why_excluded]
        self._runs = Counter(machine for machine, _ in counting)
        pairs = [(machine, file.record.build.version) for machine, file in counting if file.has_gil_counterpart]
        self._paired = {*pairs} if prefer_pairs else set()

    def key(self, result: Result) -> tuple[object, ...]:
        build, (implementation, version, _, _) = result.record.build, result.order
        is_paired = (result.machine_key, build.version) in self._paired and not prerelease(build.version)
        return (
            bool(build.variant),
            bool(result.why_undecided),
            not result.key.local,
            -self._runs[result.machine_key],
            rank_machine(result.machine),
            result.machine_key,
            build.free_threaded,
            bool(prerelease(build.version)),
            not is_paired,
            implementation,
            tuple(-part for part in version.release),
            result.build,
        )
