"""Compares two result files, series by series: the second's time, or rate, over the first's.

Two files of one run were measured turn by turn, so they are paired by round. Two files of different runs or machines
are compared through their common reference build alone: each series is first divided, round by round, by the reference
measured beside it. The ratio of those two ratios has the bounds [b.low / a.high, b.high / a.low]. If each of the two
intervals holds its truth with 96.1 %, both do with at least 92.3 % (96.1 + 96.1 - 100, whether or not they depend on
each other), and then so does the quotient's: that sum is the coverage told. The true coverage is higher, as both would
have to miss on the harmful side.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Self

from rich.console import Console

from generate.decision import decides, held_back
from generate.load import load_paths
from generate.reference import beside as with_reference
from generate.statistics import FEWEST_PAIRS, Comparison
from generate.statistics import compare as compare_by_round
from generate.values import Key, View, key_of
from generate.wording import difference, format_share
from runners.harness import catalogue, gate
from runners.harness.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from runners.harness.catalogue import Scenario
    from runners.harness.contract import Metric
    from runners.harness.record import Build, Machine, Record, Series


@dataclass(frozen=True, slots=True)
class Row:
    """One series of the two files, in its scenario's first metric."""

    scenario: str
    """Scenario of the series."""
    case: str
    """Case of the series."""
    runner: str
    """Runner of the series."""
    metric: str
    """Name of the metric."""
    unit: str
    """Its unit."""
    better: str
    """lower, higher or neither."""
    comparison: Comparison | None
    """The second file over the first; null where they are not comparable."""
    through_reference: bool
    """Whether it was compared through the reference build."""
    why: str | None
    """Why it is not comparable, or not decided."""

    @property
    def words(self) -> str:
        """The comparison in words."""
        return (
            difference(self.comparison, self.unit, self.better, self.metric.replace("_", " "))
            if self.comparison
            else "not comparable"
        )


@dataclass(frozen=True, slots=True)
class _Side:
    """One of the two files."""

    name: str
    view: View
    refused: Mapping[Key, str]

    @classmethod
    def of(cls, name: str, record: Record, scenarios: Mapping[str, Scenario]) -> Self:
        view = View(record, scenarios)
        return cls(name, view, gate.refusals(gate.faults_of(view)))

    @property
    def record(self) -> Record:
        return self.view.record

    @property
    def is_reference(self) -> bool:
        return _identity(self.record.build) == _identity(self.record.reference_build)

    def fault(self, series: Series | None, *, of_reference: bool = False) -> str | None:
        """Say why *series* can't be used."""
        if series is None:
            return f"the {self.name} file has no such series{' of the reference build' if of_reference else ''}"
        where = f"{self.name} file{', reference build' if of_reference else ''}"
        if reason := self.refused.get(key_of(series)):
            return f"{where}: {reason}"
        if "ok" not in series.samples.status:
            return f"{where}: {series.status.replace('_', ' ')}: {series.reason}"
        return None


def read(path: Path) -> Record:
    """Read one result file, and the reference build's beside it. Raises UserError, which says what is wrong with it."""
    wanted = load_paths([path])
    for problem in wanted.problems:
        msg = f"{problem.path}: {problem.field or 'file'}: {problem.message}; {problem.remedy}"
        raise UserError(msg)
    if len(wanted.files) != 1:
        msg = f"{path}: {len(wanted.files)} result files are there; name one"
        raise UserError(msg)
    beside = load_paths([other for other in sorted(path.parent.glob("*.json")) if other != path])
    return with_reference([*wanted.files, *beside.files])[0].record


def compare(a: Record, b: Record, scenarios: Mapping[str, Scenario] | None = None) -> list[Row]:
    """Compare *b*, the candidate, with *a*, the baseline: one row a series that either has, in order of name.

    Without *scenarios* those of the catalogue are taken. A series that can't be compared has a row that says why.
    """
    known = catalogue.find() if scenarios is None else scenarios
    first, second = _Side.of("first", a, known), _Side.of("second", b, known)
    keys = {key for side in (first, second) for key in side.view.series if key.role == "subject"}
    together = measured_together(a, b)
    return [_row(first, second, key, together=together) for key in sorted(keys)]


def _row(a: _Side, b: _Side, key: Key, *, together: bool) -> Row:
    series = a.view.series.get(key) or b.view.series[key]
    metric = next(iter(a.view.metrics(series)))
    found, why = _compared(a, b, key, metric, together=together)
    if found is not None and not found.decided:
        why = f"not decided: {found.pairs} pairs"
        if found.pairs >= FEWEST_PAIRS:
            why += ", but of a quick run, or of a series that failed in some round"
    return Row(*key[:3], metric.name, metric.unit, metric.better, found, not together, why)


def _compared(a: _Side, b: _Side, key: Key, metric: Metric, *, together: bool) -> tuple[Comparison | None, str | None]:
    ours, yours = a.view.series.get(key), b.view.series.get(key)
    if (why := a.fault(ours) or b.fault(yours)) or ours is None or yours is None:
        return None, why
    if ours.source_sha256 != yours.source_sha256:
        return None, "the runner's code differs"
    if a.record.scenario_sha256.get(key.scenario) != b.record.scenario_sha256.get(key.scenario):
        return None, "the scenario's code differs"
    if together:
        found = compare_by_round(b.view.by_round(yours, metric), a.view.by_round(ours, metric))
    elif why := _no_common_reference(a.record, b.record):
        return None, why
    else:
        to_a, why_a = _to_reference(a, ours, metric)
        to_b, why_b = _to_reference(b, yours, metric)
        if to_a is None or to_b is None:
            return None, why_a or why_b
        found = _quotient(to_b, to_a)
    found = held_back(found, decides_too=decides(a.record, ours) and decides(b.record, yours))
    return found, None if found else "no round has a ratio"


def _identity(build: Build) -> tuple[object, ...]:
    """Return what makes two builds the same one, wherever they run."""
    return build.implementation, build.version, build.free_threaded, build.jit, build.compiler, build.flags


def _no_common_reference(a: Record, b: Record) -> str | None:
    if _identity(a.reference_build) != _identity(b.reference_build):
        names = [
            f"{one.implementation} {one.version} ({one.compiler})" for one in (a.reference_build, b.reference_build)
        ]
        return f"different reference builds: {names[0]} and {names[1]}"
    if _identity(a.build) == _identity(b.build) == _identity(a.reference_build):
        return "both are the reference build, of different runs: nothing was measured beside both"
    return None


def _to_reference(side: _Side, series: Series, metric: Metric) -> tuple[Comparison | None, str | None]:
    """Return *series* over the same on the reference build. On that build itself it is 1, without any doubt."""
    if side.is_reference:
        pairs = len(side.view.by_round(series, metric))
        return Comparison(1.0, 1.0, 1.0, 1.0, pairs, pairs >= FEWEST_PAIRS), None
    reference = side.view.reference(series)
    if (why := side.fault(reference, of_reference=True)) or reference is None:
        return None, why
    found = compare_by_round(side.view.by_round(series, metric), side.view.by_round(reference, metric))
    return found, None if found else f"{side.name}: no round has a ratio to the reference build"


def _quotient(b: Comparison, a: Comparison) -> Comparison | None:
    """Divide two independent ratios. What the bounds cover is told at the top of this module."""
    if a.low <= 0:
        return None
    coverage = max(a.coverage + b.coverage - 1, 0.0)
    pairs = min(a.pairs, b.pairs)
    return Comparison(b.ratio / a.ratio, b.low / a.high, b.high / a.low, coverage, pairs, a.decided and b.decided)


def measured_together(a: Record, b: Record) -> bool:
    """Tell whether two files come from one run on one host, turn by turn: then rounds pair.

    The run's id says so; the jobs of a matrix may share one. So the reference build's samples, which a file
    has or is given from the one beside it, must be the same as well, where both have them.
    """
    if a.run.id != b.run.id or _host(a.machine) != _host(b.machine):
        return False
    ours, yours = _reference_columns(a), _reference_columns(b)
    return all(ours[key] == yours[key] for key in ours.keys() & yours.keys())


def _host(machine: Machine) -> tuple[object, ...]:
    return machine.label, machine.cpu, machine.kernel, machine.logical_cores, machine.usable_cores, machine.memory_bytes


def _reference_columns(record: Record) -> dict[tuple[str, ...], object]:
    role = "subject" if _identity(record.build) == _identity(record.reference_build) else "reference"
    return {
        (*key_of(series)[:3], name): (series.samples.round, series.samples.values.get(name))
        for series in record.series
        if series.role == role
        for name in series.samples.values
    }


def lines(rows: list[Row]) -> list[str]:
    """Lay the rows out for a terminal: a heading for each case, then a line for each runner."""
    width = max((len(row.runner) for row in rows), default=0)
    told = []
    for (scenario, case, metric), of_case in groupby(rows, lambda row: (row.scenario, row.case, row.metric)):
        told.append(f"{scenario} / {case} ({metric})")
        told += [f"  {row.runner:{width}}  {row.words}{_remark(row)}" for row in of_case]
    return told


def _remark(row: Row) -> str:
    found = row.comparison
    if found is None or not found.decided:
        return f": {row.why}" if found is None else ""
    through = ", through the reference build" if row.through_reference else ""
    return f", {found.pairs} pairs, {format_share(found.coverage)}{through}"


def show(a: Record, b: Record) -> None:
    """Print how *b* compares with *a*, whole lines however narrow the terminal is."""
    told = lines(compare(a, b))
    Console().print("\n".join(told), soft_wrap=True, markup=False, highlight=False)
