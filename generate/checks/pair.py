"""The two files of a comparison: what each can be compared by, and whether both were measured together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from generate.analysis import gate
from generate.analysis.series import RecordView
from generate.statistics.intervals import FEWEST_PAIRS, Comparison
from generate.statistics.intervals import compare as compare_by_round

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.contract import Metric
    from runners.harness.record.model import Build, Machine, Record, Series, SeriesKey


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two files."""

    name: str
    """first or second."""
    view: RecordView
    """Its record, seen through the scenarios."""
    refused: Mapping[SeriesKey, str]
    """The series that the sanity gate refuses, and why."""

    @classmethod
    def of(cls, name: str, record: Record, scenarios: Mapping[str, Scenario]) -> Self:
        """Put *record* through the sanity gate."""
        view = RecordView(record, scenarios)
        return cls(name, view, gate.refusals(gate.find_faults(view)))

    @property
    def record(self) -> Record:
        """What the file holds."""
        return self.view.record

    @property
    def is_reference(self) -> bool:
        """Whether the file is of the reference build of its run."""
        return identity(self.record.build) == identity(self.record.reference_build)

    def fault(self, series: Series | None, *, of_reference: bool = False) -> str | None:
        """Say why *series* can't be used."""
        if series is None:
            return f"the {self.name} file has no such series{' of the reference build' if of_reference else ''}"
        where = f"{self.name} file{', reference build' if of_reference else ''}"
        if reason := self.refused.get(series.key):
            return f"{where}: {reason}"
        if "ok" not in series.samples.status:
            return f"{where}: {series.status.replace('_', ' ')}: {series.reason}"
        return None


def both(a: Side, b: Side, key: SeriesKey) -> tuple[Series, Series] | str:
    """Return the series of the two files, or why they can't be compared: without values, or of other code."""
    ours, yours = a.view.series.get(key), b.view.series.get(key)
    if (why := a.fault(ours) or b.fault(yours)) or ours is None or yours is None:
        return why or ""
    if ours.source_sha256 != yours.source_sha256:
        return "the runner's code differs"
    if a.record.scenario_sha256.get(key.scenario) != b.record.scenario_sha256.get(key.scenario):
        return "the scenario's code differs"
    return ours, yours


def to_reference(side: Side, series: Series, metric: Metric) -> tuple[Comparison | None, str | None]:
    """Return *series* over the same on the reference build. On that build itself it is 1, without any doubt."""
    if side.is_reference:
        pairs = len(side.view.by_round(series, metric))
        return Comparison(1.0, 1.0, 1.0, 1.0, pairs, pairs >= FEWEST_PAIRS), None
    reference = side.view.reference(series)
    if (why := side.fault(reference, of_reference=True)) or reference is None:
        return None, why
    found = compare_by_round(side.view.by_round(series, metric), side.view.by_round(reference, metric))
    return found, None if found else f"{side.name}: no round has a ratio to the reference build"


def measured_together(a: Record, b: Record) -> bool:
    """Tell whether two files come from one run on one host, turn by turn: then rounds pair.

    The run's id says so; the jobs of a matrix may share one. So the reference build's samples, which a file
    has or is given from the one beside it, must be the same as well, where both have them.
    """
    if a.run.id != b.run.id or host(a.machine) != host(b.machine):
        return False
    ours, yours = _reference_columns(a), _reference_columns(b)
    return all(ours[key] == yours[key] for key in ours.keys() & yours.keys())


def host(machine: Machine) -> tuple[object, ...]:
    """Return what makes two machines the same one."""
    return machine.label, machine.cpu, machine.kernel, machine.logical_cores, machine.usable_cores, machine.memory_bytes


def _reference_columns(record: Record) -> dict[tuple[str, ...], object]:
    role = "subject" if identity(record.build) == identity(record.reference_build) else "reference"
    return {
        (*series.key[:3], name): (series.samples.round, series.samples.values.get(name))
        for series in record.series
        if series.role == role
        for name in series.samples.values
    }


def identity(build: Build) -> tuple[object, ...]:
    """Return what makes two builds the same one, wherever they run."""
    return build.implementation, build.version, build.free_threaded, build.jit, build.compiler, build.flags


def no_common_reference(a: Record, b: Record) -> str | None:
    """Say why two files of different runs can't be compared through a reference build; None where they can."""
    if identity(a.reference_build) != identity(b.reference_build):
        names = [
            f"{one.implementation} {one.version} ({one.compiler})" for one in (a.reference_build, b.reference_build)
        ]
        return f"different reference builds: {names[0]} and {names[1]}"
    if identity(a.build) == identity(b.build) == identity(a.reference_build):
        return "both are the reference build, of different runs: nothing was measured beside both"
    return None
