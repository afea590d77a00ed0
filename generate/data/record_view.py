"""One record read by the catalogue: metrics and ideals by round, baselines, packages. Pure.

The sanity gate and the estimates are both made from it, so that they compute alike.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from packaging.utils import canonicalize_name

from runners.harness.contract import Metric
from runners.harness.measure import GIL_REENABLED
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.contract import Ideal, Parameters, Value
    from runners.harness.record.model import Build, Package, Record, Role, Series, Status

    Code = tuple[str, str]
    """Runner hash and package versions: runs pool only if both are alike."""
    Columns = Mapping[str, Value]
    Compute = Callable[[Parameters, int, Columns], float | None]
    Versions = Mapping[str, str]
    """By package, its version, with its source in brackets if it is from no index."""

ByRound = dict[int, float]
"""Values of the samples that are ok and have one, by round. Finite, in the metric's unit."""
NO_VALUE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""Raised by a metric or an ideal over columns that an older or a shortened series lacks: it has no value then."""
MOST_APART = 0.01
"""Share by which calibrations of two runs may differ; like machines have the same, rounded to steps."""


class Ideals(NamedTuple):
    """The limits of one series' first metric."""

    by_round: ByRound
    """In the metric's unit; empty without a limit."""
    is_fixed: bool
    """True if no measurement enters them: the same in every round, and without noise."""


class _Place(NamedTuple):
    """Block of a series, and the case and runner of its baseline: empty for a case unknown to the catalogue."""

    block: str
    case: str = ""
    runner: str = ""


class RecordView:
    """One record with its metrics. Results are cached, as several rows need the same baseline."""

    def __init__(
        self,
        record: Record,
        scenarios: Mapping[str, Scenario],
        values: dict[tuple[int, str, str], ByRound] | None = None,
    ) -> None:
        """Views of records that share samples may share *values*."""
        self.record = record
        self.scenarios = scenarios
        self.series = {series.key: series for series in record.series}
        self._values = {} if values is None else values
        self._places: dict[tuple[str, str], _Place] = {}
        self._versions: dict[tuple[tuple[str, ...], bool], str] = {}
        self._ideals: dict[tuple[SeriesKey | None, str, str, int | None], Ideals] = {}

    def measured_build(self, series: Series) -> Build:
        """Return the build that ran *series*."""
        return self.record.reference_build if series.role == "reference" else self.record.build

    def metrics(self, series: Series) -> tuple[Metric, ...]:
        """Return the scenario's metrics; for an unknown scenario, each raw column but lists."""
        scenario = self.scenarios.get(series.scenario)
        return scenario.metrics if scenario is not None else tuple(_raw_metrics(series))

    def unknown(self, series: Series) -> str | None:
        """Return which of the series' names the catalogue does not have."""
        scenario = self.scenarios.get(series.scenario)
        if scenario is None:
            return "scenario unknown to this version"
        if series.case not in scenario.cases:
            return "case unknown to this version"
        return None if series.runner in scenario.runners else "runner unknown to this version"

    def packages(self, series: Series) -> tuple[str, ...]:
        """Return the packages that the series' runner imports; none for an unknown runner."""
        scenario = self.scenarios.get(series.scenario)
        runner = scenario.runners.get(series.runner) if scenario else None
        return runner.packages if runner else ()

    def versions(self, series: Series) -> str:
        """Format the versions of all packages that its runner needs: "aiohttp 3.13.5, yarl 1.22.0"."""
        if not (names := self.packages(series)):
            return ""
        is_reference = series.role == "reference"
        if (names, is_reference) not in self._versions:
            versions = required_versions(
                self.record.reference_packages if is_reference else self.record.packages, names
            )
            written = ", ".join(f"{name} {versions[name]}" for name in sorted(versions))
            self._versions[names, is_reference] = written
        return self._versions[names, is_reference]

    def code(self, key: SeriesKey) -> Code | None:
        """Return what ran as a series; None if the record does not have it."""
        series = self.series.get(key)
        return (series.source_sha256, self.versions(series)) if series else None

    def other_versions(self, series: Series) -> str:
        """Format its packages that have another version on the reference build: "tornado 6.5.10, not 6.6.1"."""
        if not (names := self.packages(series)):
            return ""
        ours, theirs = (required_versions(of, names) for of in (self.record.packages, self.record.reference_packages))
        differing = (name for name in sorted(ours.keys() & theirs.keys()) if ours[name] != theirs[name])
        return "; ".join(f"{name} {ours[name]}, not {theirs[name]}" for name in differing)

    def parameters(self, series: Series) -> Parameters:
        """Return the parameters of the series' case; none for an unknown case."""
        scenario = self.scenarios.get(series.scenario)
        return scenario.cases[series.case].parameters if scenario and series.case in scenario.cases else {}

    def block(self, series: Series) -> str:
        """Return the block in which *series* was measured; an unknown case is its own."""
        return self._place(series).block

    def in_block(self, scenario: str, block: str) -> list[Series]:
        """Return the series that were measured in a block, on both builds."""
        return [series for series in self.record.series if series.scenario == scenario and self.block(series) == block]

    def baseline(self, series: Series) -> Series | None:
        """Return the series that *series* is compared with: the block's baseline on the same build."""
        _, case, runner = self._place(series)
        role: Role = "reference" if series.role == "reference" else "subject"
        return self.series.get(SeriesKey(series.scenario, case, runner, role))

    def control(self, series: Series) -> Series | None:
        """Return the second measurement of the block's baseline, which shows the noise."""
        _, case, runner = self._place(series)
        return self.series.get(SeriesKey(series.scenario, case, runner, "control"))

    def _place(self, series: Series) -> _Place:
        at = (series.scenario, series.case)
        if at not in self._places:
            scenario = self.scenarios.get(series.scenario)
            if scenario is None or series.case not in scenario.cases:
                self._places[at] = _Place(series.case)
            else:
                block = scenario.block_of(series.case)
                self._places[at] = _Place(block, *scenario.baseline_of(block))
        return self._places[at]

    def reference(self, series: Series) -> Series | None:
        """Return the reference build's series of the same case and runner; its own if it ran on that build."""
        reference = self.series.get(series.key._replace(role="reference"))
        if reference is None and self.record.build == self.record.reference_build and series.role == "subject":
            return series
        return reference

    def by_round(self, series: Series, metric: Metric) -> ByRound:
        """Return a metric's values by round. Samples that are not ok, and those without the value, are left out."""
        key = (id(series.samples), series.scenario, metric.name)  # the samples live as long as this view
        if key not in self._values and metric.compute is None:
            self._values[key] = _column(series, metric.name)
        elif key not in self._values:
            computed = [metric, *(other for other in self.metrics(series) if other.compute and other is not metric)]
            for name, values in _computed(series, computed).items():
                self._values[id(series.samples), series.scenario, name] = values
        return self._values[key]

    def ideals(self, series: Series) -> Ideals:
        """Return the limits for the scenario's first metric."""
        scenario = self.scenarios.get(series.scenario)
        if scenario is None or series.case not in scenario.cases:
            return Ideals({}, is_fixed=True)
        base = self.baseline(series)
        at_once = series.observed.asked_at_once if series.observed else None
        key = (base.key if base else None, series.scenario, series.case, at_once)
        if key not in self._ideals:
            limit = {} if at_once is None else {"limit": at_once}
            parameters = {**scenario.cases[series.case].parameters, **limit}
            cores, rounds = self.record.machine.usable_cores, self.record.run.rounds
            self._ideals[key] = compute_ideals(scenario.ideal, parameters, cores, base, rounds)
        return self._ideals[key]


def series_status(series: Series) -> Status:
    """Return a series' status; older records call it failed if unsupporting packages turned the GIL on."""
    return "unsupported" if series.status == "failed" and series.reason == GIL_REENABLED[0] else series.status


def _column(series: Series, name: str) -> ByRound:
    samples = series.samples
    rows = zip(samples.round, samples.status, samples.values.get(name, ()), strict=False)
    ok: dict[int, Any] = {number: value for number, status, value in rows if status == "ok" and value is not None}
    return {} if list in set(map(type, ok.values())) else ok


def _computed(series: Series, metrics: Sequence[Metric]) -> dict[str, ByRound]:
    """Return the values of computed metrics by name, in one pass: making the rows takes longer than computing."""
    computed: dict[str, ByRound] = {metric.name: {} for metric in metrics}
    for row in series.samples.ok_rows():
        for metric in metrics:
            value = _value(metric, row.values)
            if value is not None:
                computed[metric.name][row.round] = value
    return computed


def _value(metric: Metric, columns: Columns) -> float | None:
    try:
        value = metric.compute(columns) if metric.compute else None
    except NO_VALUE:
        return None
    return float(value) if value is not None and math.isfinite(value) else None


def _raw_metrics(series: Series) -> Iterator[Metric]:
    for name, column in series.samples.values.items():
        if not any(isinstance(value, list) for value in column):
            yield Metric(name, name, name.rpartition("_")[2], "neither")


class _Watched(Mapping[str, "Value"]):
    """Raw columns that remember if they were read: an ideal that reads none is the same in every round."""

    def __init__(self) -> None:
        self.was_read = False

    def __getitem__(self, name: str) -> Value:
        self.was_read = True
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        self.was_read = True
        return iter(())

    def __len__(self) -> int:
        self.was_read = True
        return 0


def compute_ideals(ideal: Ideal, parameters: Parameters, cores: int, baseline: Series | None, rounds: int) -> Ideals:
    """Return the *ideal* of each of the *rounds* from the *baseline*'s raw columns of that round."""
    if ideal.compute is None:
        return Ideals({}, is_fixed=True)
    limit, is_fixed = _fixed_limit(ideal.compute, tuple(parameters.items()), cores)
    if is_fixed:
        return Ideals({} if limit is None else dict.fromkeys(range(1, rounds + 1), limit), is_fixed=True)
    columns = {row.round: row.values for row in baseline.samples.ok_rows()} if baseline else {}
    limits = {n: _limit(ideal.compute, parameters, cores, columns.get(n, {})) for n in range(1, rounds + 1)}
    return Ideals({number: limit for number, limit in limits.items() if limit is not None}, is_fixed=False)


@functools.lru_cache(maxsize=1000)
def _fixed_limit(compute: Compute, parameters: tuple[tuple[str, Any], ...], cores: int) -> tuple[float | None, bool]:
    """Return the limit that needs no baseline, the same in all files, and whether it needs none."""
    columns = _Watched()
    limit = _limit(compute, dict(parameters), cores, columns)
    return limit, not columns.was_read


def _limit(compute: Compute, parameters: Parameters, cores: int, baseline: Columns) -> float | None:
    try:
        limit = compute(parameters, cores, baseline)
    except NO_VALUE:
        return None
    return float(limit) if limit is not None and math.isfinite(limit) and limit > 0 else None


def efficiency_by_round(ideal_by_round: ByRound, measured_by_round: ByRound, better: str) -> ByRound:
    """Return the share of the ideal that was reached, by round in ascending order: 1 is the limit itself.

    It is ideal / measured if lower is better, measured / ideal if higher is; nothing if neither is.
    """
    shares: ByRound = {}
    for number in sorted(ideal_by_round.keys() & measured_by_round.keys()):
        ideal, measured = ideal_by_round[number], measured_by_round[number]
        if better == "higher":
            shares[number] = measured / ideal
        elif better == "lower" and measured > 0:
            shares[number] = ideal / measured
    return shares


_normal: Callable[[str], str] = functools.cache(canonicalize_name)  # called for each series, for the same few names


def required_versions(packages: Mapping[str, Package], roots: Iterable[str]) -> Versions:
    """Return the versions of the *roots* and of all that they need; of all packages if a record lists no needs.

    A package that is not installed has no version, nor has what only it needs. A record lists zope.interface under that
    name, and calls it zope-interface if another needs it.
    """
    packages = {_normal(name): package for name, package in packages.items()}
    wanted, versions = [*map(_normal, roots)], dict[str, str]()
    if any(name in packages and packages[name].requires is None for name in wanted):
        wanted = [*packages]
    while wanted:
        name = wanted.pop()
        package = packages.get(name)
        if name not in versions and package is not None and package.version is not None:
            versions[name] = f"{package.version} ({package.source})" if package.source else package.version
            wanted += map(_normal, package.requires or ())
    return versions


def changed_packages(ours: Versions, theirs: Versions) -> dict[str, tuple[str, str]]:
    """Return both versions of the packages that have one in both, and not the same.

    The source of a version, which may be the long name of a wheel, is left out if the versions differ without it.
    """
    both = {name: (ours[name], theirs[name]) for name in sorted(ours.keys() & theirs.keys())}
    bare = {name: (one.partition(" ")[0], other.partition(" ")[0]) for name, (one, other) in both.items()}
    return {
        name: bare[name] if bare[name][0] != bare[name][1] else (one, other)
        for name, (one, other) in both.items()
        if one != other
    }


def package_difference(first: Record, second: Record, roots: Iterable[str]) -> str:
    """Format the packages that differ between the reference builds of two records: "yarl 1.22.0 and absent".

    Dividing by the reference build cancels a change of a package that both have.
    """
    names = [*roots]
    ours, theirs = (required_versions(record.reference_packages, names) for record in (first, second))
    differing = sorted(name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name))
    return ", ".join(f"{name} {ours.get(name, 'absent')} and {theirs.get(name, 'absent')}" for name in differing)


def calibration_difference(first: Mapping[str, int], second: Mapping[str, int]) -> str:
    """Format what differs between two runs' calibrations: "turns per ms 15,849 and 16,788"; empty if alike.

    A scenario that fits its work to the machine calibrates once a run. If calibrations differ, the same name means
    different work.
    """

    def describe(calibration: Mapping[str, int], name: str) -> str:
        return f"{calibration[name]:,}" if name in calibration else "none"

    names = [name for name in sorted({*first, *second}) if not _is_alike(first.get(name), second.get(name))]
    return ", ".join(f"{n.replace('_', ' ')} {describe(first, n)} and {describe(second, n)}" for n in names)


def _is_alike(first: int | None, second: int | None) -> bool:
    return first is not None and second is not None and max(first, second) <= (1 + MOST_APART) * min(first, second)
