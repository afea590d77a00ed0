"""The two files of a comparison: what each can be compared by, and whether both were measured together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from generate.analysis import calibration, packages
from generate.analysis.gated import apply_gate, decides_across_runs
from generate.analysis.same_build import identity
from generate.results.model import ResultFile
from generate.statistics.intervals import FEWEST_PAIRS, Comparison
from generate.statistics.intervals import compare as compare_by_round
from generate.text.statuses import status_of, status_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generate.analysis.gated import GatedRecord
    from generate.analysis.series import RecordView
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.contract import Metric
    from runners.harness.record.model import Build, Machine, Record, Series, SeriesKey


WOULD_CANCEL = "what changed in both would cancel"


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two files."""

    name: str
    """first or second."""
    gated: GatedRecord
    """Its record, and what of it can be true."""

    @classmethod
    def of(cls, name: str, record: Record, scenarios: Mapping[str, Scenario]) -> Self:
        """Put *record* through the sanity gate."""
        (gated,) = apply_gate([ResultFile(name, record, "", local=False, size_bytes=0)], scenarios)
        return cls(name, gated)

    @property
    def view(self) -> RecordView:
        """Its record, seen through the scenarios."""
        return self.gated.view

    @property
    def record(self) -> Record:
        """What the file holds."""
        return self.view.record

    def usable(self, series: Series | None, *, of_reference: bool = False) -> Series | str:
        """Return *series*, or why it can't be used."""
        if series is None:
            return f"the {self.name} file has no such series{' of the reference build' if of_reference else ''}"
        where = f"{self.name} file{', reference build' if of_reference else ''}"
        if reason := self.gated.refused.get(series.key):
            return f"{where}: {reason}"
        if "ok" not in series.samples.status:
            return f"{where}: {status_words(status_of(series))}: {series.reason}"
        return series


def both(a: Side, b: Side, key: SeriesKey) -> tuple[Series, Series] | str:
    """Return the series of the two files, or why they can't be compared: no values, other code or other work."""
    first, second = (side.usable(side.view.series.get(key)) for side in (a, b))
    if isinstance(first, str):
        return first
    if isinstance(second, str):
        return second
    if first.source_sha256 != second.source_sha256:
        return "the runner's code differs"
    if a.record.scenario_sha256.get(key.scenario) != b.record.scenario_sha256.get(key.scenario):
        return "the scenario's code differs"
    return changed_calibration(a, b, key) or (first, second)


def to_reference(side: Side, series: Series, metric: Metric) -> Comparison | str:
    """Return *series* over the same on the reference build, or why not. On that build itself it is 1, without doubt."""
    values = side.view.by_round(series, metric)
    if identity(side.record.build) == identity(side.record.reference_build):
        return Comparison(1.0, 1.0, 1.0, 1.0, len(values), len(values) >= FEWEST_PAIRS)
    reference = side.usable(side.view.reference(series), of_reference=True)
    if isinstance(reference, str):
        return reference
    found = compare_by_round(values, side.view.by_round(reference, metric))
    return found or f"{side.name}: no round has a ratio to the reference build"


def decides(side: Side, series: Series, *, together: bool) -> bool:
    """Say whether *series* may decide: through the reference build, the series there has a say too, as on the page."""
    beside = [] if together else [side.view.reference(series)]
    return decides_across_runs(side.record, series, *beside)


def noise_of_both(
    a: Side, b: Side, pair: tuple[Series, Series], metric: Metric, *, together: bool
) -> Comparison | None:
    """Return how far the baselines of both lay from themselves; None where that is not known of both.

    Through the reference build the noise of both is in the ratio, one upon the other.
    """
    one, other = (side.gated.reach_of_noise(series, metric) for side, series in zip((a, b), pair, strict=True))
    if one is None or other is None:
        return None
    reach = max(one, other) if together else one * other
    return Comparison(1.0, 1 / reach, reach, 0.0, FEWEST_PAIRS, decided=True)


def measured_together(a: Record, b: Record) -> bool:
    """Say whether two files come from one run on one host, turn by turn: then rounds pair.

    The run's id says so, if nobody made it up. So the reference build's samples, which a file has or is given from the
    one beside it, must be the same as well, where both have them.
    """
    if a.run.id != b.run.id or host(a.machine) != host(b.machine):
        return False
    first, second = _reference_columns(a), _reference_columns(b)
    return all(first[key] == second[key] for key in first.keys() & second.keys())


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


def changed_calibration(a: Side, b: Side, key: SeriesKey) -> str:
    """Say how work that a scenario fits to the machine differs between the two runs; empty where it does not."""
    scenario = a.view.scenarios.get(key.scenario)
    if scenario is None or not scenario.calibrates:
        return ""
    differing = calibration.difference(a.record.run.calibration, b.record.run.calibration)
    return f"tasks computed different amounts in the two runs: {differing}" if differing else ""


def changed_packages(a: Side, b: Side, key: SeriesKey) -> str:
    """Say which packages of a runner differ between the two reference builds; empty where none does."""
    scenario = a.view.scenarios.get(key.scenario)
    runner = scenario.runners.get(key.runner) if scenario else None
    differing = packages.difference(a.record, b.record, runner.packages if runner else a.record.packages)
    return f"the reference builds have {differing}: {WOULD_CANCEL}" if differing else ""


def other_packages(a: Side, b: Side, pair: tuple[Series, Series]) -> list[str]:
    """Name the packages of a runner of which the two have different versions, with both: "yarl 1.22.0 and 1.23.0"."""
    ours, theirs = (
        packages.versions_of(side.record.packages, side.view.packages(series))
        for side, series in zip((a, b), pair, strict=True)
    )
    return [f"{name} {one} and {other}" for name, (one, other) in packages.changed(ours, theirs).items()]


def _in_full(build: Build) -> str:
    """Name a build by its version, what is different about it, and who compiled it."""
    different = "".join(f" + {word}" for word in build.variant)
    return f"{build.implementation} {build.version}{different} ({build.compiler})"


def no_common_reference(a: Record, b: Record) -> str | None:
    """Say why two files of different runs can't be compared through a reference build; None where they can."""
    if identity(a.reference_build) != identity(b.reference_build):
        return f"different reference builds: {_in_full(a.reference_build)} and {_in_full(b.reference_build)}"
    if identity(a.build) == identity(b.build) == identity(a.reference_build):
        return "both are the reference build, of different runs: nothing was measured beside both"
    return None
