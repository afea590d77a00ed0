"""One record seen through the catalogue: metrics and ideals by round, baselines, packages. Pure.

The sanity gate and the estimates both use it, so they compute alike.
"""

from __future__ import annotations

import functools
import math
from copy import copy
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from packaging.utils import canonicalize_name

from runners.harness.measure import GIL_REENABLED
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.contract import Metric, Parameters, Value
    from runners.harness.record.model import Package, Record, Role, Series, Status

    Code = tuple[str, str]
    """Runner hash and package versions: runs pool only if both are alike."""
    Columns = Mapping[str, Value]
    Compute = Callable[[Parameters, int, Columns], float | None]
    Versions = Mapping[str, str]
    """Versions by package; the source follows in brackets if it did not come from an index."""

ByRound = dict[int, float]
"""Finite values of ok samples by round, in the metric's unit."""
NO_VALUE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""Raised by a metric or an ideal if an older or a shortened series lacks its columns. It then has no value."""
MOST_APART = 0.01
"""Tolerance for calibrations of two runs. On similar machines they are the same, rounded to steps."""


class Ideals(NamedTuple):
    """The limits of one series' first metric."""

    by_round: ByRound
    """In the metric's unit; empty without a limit."""
    is_fixed: bool
    """True if no measurement enters them: the same in every round."""


class RecordView:
    """One record with its metrics. Values are cached, as several rows need the same baseline."""

    def __init__(
        self,
        record: Record,
        scenarios: Mapping[str, Scenario],
        values: dict[tuple[int, str, str], ByRound] | None = None,
    ) -> None:
        """Share *values* between views of records that share samples."""
        self.record = record
        self.scenarios = scenarios
        self.series = {series.key: series for series in record.series if _is_known(series, scenarios)}
        """Those whose scenario, case and runner the catalogue still has."""
        self._values = {} if values is None else values
        self._versions: dict[tuple[tuple[str, ...], bool], Versions] = {}
        self._baselines: dict[tuple[str, str], tuple[str, str]] = {}
        self._codes: dict[SeriesKey, Code] = {}
        self._ideals: dict[tuple[SeriesKey | None, str, str, int | None], Ideals] = {}

    def with_reference(self, series: Iterable[Series]) -> RecordView:
        """Return the view with the subjects among another record's *series* in the role `reference`."""
        view = copy(self)
        taken = (msgspec.structs.replace(each, role="reference") for each in series if each.role == "subject")
        view.series = self.series | {each.key: each for each in taken if _is_known(each, self.scenarios)}
        return view

    def metrics(self, series: Series) -> tuple[Metric, ...]:
        """Return the scenario's metrics."""
        return self.scenarios[series.scenario].metrics

    def packages(self, series: Series) -> tuple[str, ...]:
        """Return the packages that the series' runner imports."""
        return self.scenarios[series.scenario].runners[series.runner].packages

    def versions(self, series: Series) -> str:
        """Format the versions of all packages that its runner needs: "aiohttp 3.13.5, yarl 1.22.0"."""
        versions = self._required(series, on_reference=series.role == "reference")
        return ", ".join(f"{name} {versions[name]}" for name in sorted(versions))

    def other_versions(self, series: Series) -> str:
        """Format its packages whose versions differ on the reference build: "tornado 6.5.10, not 6.6.1"."""
        ours, theirs = (self._required(series, on_reference=on_reference) for on_reference in (False, True))
        differing = (name for name in sorted(ours.keys() & theirs.keys()) if ours[name] != theirs[name])
        return "; ".join(f"{name} {ours[name]}, not {theirs[name]}" for name in differing)

    def _required(self, series: Series, *, on_reference: bool) -> Versions:
        names = self.packages(series)
        if (names, on_reference) not in self._versions:
            packages = self.record.reference_packages if on_reference else self.record.packages
            self._versions[names, on_reference] = required_versions(packages, names)
        return self._versions[names, on_reference]

    def code(self, key: SeriesKey) -> Code | None:
        """Return the code that ran as a series; None if the record lacks it."""
        if key not in self._codes and (series := self.series.get(key)):
            self._codes[key] = series.source_sha256, self.versions(series)
        return self._codes.get(key)

    def parameters(self, series: Series) -> Parameters:
        """Return the parameters of the series' case."""
        return self.scenarios[series.scenario].cases[series.case].parameters

    def block(self, series: Series) -> str:
        """Return the block in which *series* was measured."""
        return self.scenarios[series.scenario].block_of(series.case)

    def in_block(self, scenario: str, block: str) -> list[Series]:
        """Return the series of a block, on both builds."""
        return [each for each in self.series.values() if each.scenario == scenario and self.block(each) == block]

    def baseline(self, series: Series) -> Series | None:
        """Return the series that *series* is compared with: the block's baseline on the same build."""
        return self._baseline(series, "reference" if series.role == "reference" else "subject")

    def control(self, series: Series) -> Series | None:
        """Return the second measurement of the block's baseline, which reveals the noise."""
        return self._baseline(series, "control")

    def _baseline(self, series: Series, role: Role) -> Series | None:
        at = series.scenario, self.block(series)
        if at not in self._baselines:
            self._baselines[at] = self.scenarios[series.scenario].baseline_of(at[1])
        case, runner = self._baselines[at]
        return self.series.get(SeriesKey(series.scenario, case, runner, role))

    def reference(self, series: Series) -> Series | None:
        """Return the reference build's series of the same case and runner; its own if it ran on that build."""
        reference = self.series.get(series.key._replace(role="reference"))
        if reference is None and self.record.build == self.record.reference_build and series.role == "subject":
            return series
        return reference

    def by_round(self, series: Series, metric: Metric) -> ByRound:
        """Return a metric's values by round, without samples that are not ok or lack the value."""
        key = (id(series.samples), series.scenario, metric.name)  # the samples live as long as this view
        if key not in self._values and metric.compute is None:
            self._values[key] = _column(series, metric.name)
        elif key not in self._values:
            computed = [metric, *(other for other in self.metrics(series) if other.compute and other is not metric)]
            for name, values in _computed(series, computed).items():
                self._values[id(series.samples), series.scenario, name] = values
        return self._values[key]

    def ideals(self, series: Series) -> Ideals:
        """Return the limits for the scenario's first metric, each from the baseline's raw columns of its round."""
        compute, base = self.scenarios[series.scenario].ideal.compute, self.baseline(series)
        if compute is None:
            return Ideals({}, is_fixed=True)
        at_once = series.observed.asked_at_once if series.observed else None
        key = (base.key if base else None, series.scenario, series.case, at_once)
        if key not in self._ideals:
            limit = {} if at_once is None else {"limit": at_once}
            self._ideals[key] = self._compute_ideals(compute, {**self.parameters(series), **limit}, base)
        return self._ideals[key]

    def _compute_ideals(self, compute: Compute, parameters: Parameters, baseline: Series | None) -> Ideals:
        rounds, cores = range(1, self.record.run.rounds + 1), self.record.machine.usable_cores
        fixed = _fixed_limit(compute, tuple(parameters.items()), cores)
        if fixed is not None:
            return Ideals(dict.fromkeys(rounds, fixed), is_fixed=True)
        columns = {row.round: row.values for row in baseline.samples.ok_rows()} if baseline else {}
        limits = {number: _limit(compute, parameters, cores, columns.get(number, {})) for number in rounds}
        return Ideals({number: limit for number, limit in limits.items() if limit is not None}, is_fixed=False)


def _is_known(series: Series, scenarios: Mapping[str, Scenario]) -> bool:
    scenario = scenarios.get(series.scenario)
    return scenario is not None and series.case in scenario.cases and series.runner in scenario.runners


def series_status(series: Series) -> Status:
    """Return a series' status. Older records have "failed" if packages without free threading turned the GIL on."""
    return "unsupported" if series.status == "failed" and series.reason == GIL_REENABLED[0] else series.status


def _column(series: Series, name: str) -> ByRound:
    samples = series.samples
    rows = zip(samples.round, samples.status, samples.values.get(name, ()), strict=False)
    ok: dict[int, Any] = {number: value for number, status, value in rows if status == "ok" and value is not None}
    return {} if list in set(map(type, ok.values())) else ok


def _computed(series: Series, metrics: Sequence[Metric]) -> dict[str, ByRound]:
    """Return the values of computed metrics by name, in one pass, since making the rows takes longer than computing."""
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


@functools.cache  # the same for all files
def _fixed_limit(compute: Compute, parameters: tuple[tuple[str, float | str], ...], cores: int) -> float | None:
    return _limit(compute, dict(parameters), cores, {})


def _limit(compute: Compute, parameters: Parameters, cores: int, baseline: Columns) -> float | None:
    try:
        limit = compute(parameters, cores, baseline)
    except NO_VALUE:
        return None
    return float(limit) if limit is not None and math.isfinite(limit) and limit > 0 else None


def efficiency_by_round(ideal_by_round: ByRound, measured_by_round: ByRound, better: str) -> ByRound:
    """Return the share of the ideal that was reached, by ascending round: 1 is the limit itself.

    It is ideal / measured if lower is better, measured / ideal if higher is better, and empty otherwise.
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
    """Return the versions of the *roots* and all their dependencies, or of all packages if a record lists none.

    Packages that are not installed are left out with their dependencies. A record lists zope.interface under that name,
    but as zope-interface among dependencies.
    """
    packages = {_normal(name): package for name, package in packages.items()}
    pending, versions = [*map(_normal, roots)], dict[str, str]()
    if any(name in packages and packages[name].requires is None for name in pending):
        pending = [*packages]
    while pending:
        name = pending.pop()
        package = packages.get(name)
        if name not in versions and package is not None and package.version is not None:
            versions[name] = f"{package.version} ({package.source})" if package.source else package.version
            pending += map(_normal, package.requires or ())
    return versions


def changed_packages(ours: Versions, theirs: Versions) -> dict[str, tuple[str, str]]:
    """Return both versions of the packages whose versions differ.

    The source of a version, which may be the long name of a wheel, is left out if the versions differ without it.
    """
    changed = {}
    for name in sorted(ours.keys() & theirs.keys()):
        full = ours[name], theirs[name]
        bare = ours[name].partition(" ")[0], theirs[name].partition(" ")[0]
        if full[0] != full[1]:
            changed[name] = bare if bare[0] != bare[1] else full
    return changed


def package_difference(first: Record, second: Record, roots: Iterable[str]) -> str:
    """Format the packages that differ between two records' reference builds: "yarl 1.22.0 and absent".

    Dividing by the reference build would cancel a change of a package that both have.
    """
    names = [*roots]
    ours, theirs = (required_versions(record.reference_packages, names) for record in (first, second))
    pairs = {name: (ours.get(name, "absent"), theirs.get(name, "absent")) for name in sorted(ours.keys() | theirs)}
    return ", ".join(f"{name} {one} and {other}" for name, (one, other) in pairs.items() if one != other)


def calibration_difference(first: Mapping[str, int], second: Mapping[str, int]) -> str:
    """Format how two runs' calibrations differ: "turns per ms 15,849 and 16,788"; empty if alike.

    A scenario that fits its work to the machine calibrates once per run. Other calibrations mean other work.
    """
    differing = []
    for name in sorted({*first, *second}):
        values = [calibration.get(name) for calibration in (first, second)]
        known = [value for value in values if value is not None]
        if len(known) < len(values) or max(known) > (1 + MOST_APART) * min(known):
            described = " and ".join("none" if value is None else f"{value:,}" for value in values)
            differing.append(f"{name.replace('_', ' ')} {described}")
    return ", ".join(differing)
