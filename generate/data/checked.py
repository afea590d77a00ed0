"""A checked record: one result file, reduced to what pages need, series by series. Pure.

Raw columns are dropped once the sanity gate has judged them: a page that shows one reads its file again. Metrics,
ideals and baselines are resolved here, so that the gate and the estimates agree.
"""

from __future__ import annotations

import functools
import math
from array import array
from collections import defaultdict
from dataclasses import dataclass, field
from operator import truediv
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from packaging.utils import canonicalize_name

from generate.data.estimates import log_variance
from runners.harness.measure import GIL_REENABLED
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from generate.data.between_runs import Compared
    from generate.data.files import ResultFile
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.contract import Metric, Parameters, Value
    from runners.harness.record.model import Observed, Package, Record, Series, Status

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
    """True if they use no measurement: the same in every round."""


class CheckedSeries(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One runner in one case, with an entry for each sample in its columns."""

    key: SeriesKey
    block: str
    baseline: SeriesKey
    """The series that it is compared with: its block's baseline on the same build. The record may lack it."""
    status: Status
    reason: str | None
    source_sha256: str
    versions: str
    """Versions of all packages that its runner needs: "aiohttp 3.13.5, yarl 1.22.0"."""
    observed: Observed | None
    rounds: Sequence[int]
    positions: Sequence[int]
    statuses: Sequence[Status]
    reasons: Sequence[str | None]
    values: Mapping[str, array[float]]
    """By metric; NaN for samples that are not ok, lack the value or are rejected. On the map, by column."""
    ideals: Ideals
    has_all_rounds: bool
    """True if no round failed. A round that timed out was slow, so leaving it out would bias the result. Rounds that an
    interrupted run did not reach don't."""
    rejected: str = ""
    """Why the gate rejects the series; empty if it does not."""
    rejected_rounds: Mapping[int, str] = {}
    """Rounds that the gate rejects in a series that it accepts, each with its reason."""

    @property
    def code(self) -> tuple[str, str]:
        """The code that ran: runs pool only if it is the same."""
        return self.source_sha256, self.versions

    @property
    def has_samples(self) -> bool:
        """True if a sample is ok, whatever the gate decides."""
        return "ok" in self.statuses

    @property
    def is_complete(self) -> bool:
        """True if it lost no round, to a failure or to the gate."""
        return not self.rejected and not self.rejected_rounds and self.has_all_rounds

    def by_round(self, metric: Metric) -> ByRound:
        column = self.values.get(metric.name, ())
        rows = zip(self.rounds, column, strict=False)
        if _is_full(column):
            return dict(rows)
        return {number: value for number, value in rows if not math.isnan(value)}

    def ratios(self, other: CheckedSeries | None, metric: Metric) -> list[float]:
        """Return this / other for each round that has both.

        Empty if any of these rounds has a baseline of 0 or less: leaving out only that round would bias the result.
        """
        ours: Sequence[float] = self.values.get(metric.name, ())
        theirs: Sequence[float] = other.values.get(metric.name, ()) if other else ()
        if other and not (self.rounds == other.rounds and _is_full(ours) and _is_full(theirs)):
            mine, others = self.by_round(metric), other.by_round(metric)
            both = [number for number in mine if number in others]
            ours, theirs = [mine[number] for number in both], [others[number] for number in both]
        if not ours or not theirs or min(theirs) <= 0 or min(ours) < 0:
            return []
        return [*map(truediv, ours, theirs)]


def _is_full(column: Sequence[float]) -> bool:
    return not math.isnan(sum(column))


@dataclass(frozen=True, eq=False)
class CheckedRecord:
    """One file that the gate has judged, with the others of its run that it is compared with."""

    file: ResultFile
    """Without its series."""
    scenarios: Mapping[str, Scenario]
    series: Mapping[SeriesKey, CheckedSeries]
    """Those whose scenario, case and runner the catalogue still has."""
    reference: CheckedRecord | None = None
    """The reference build's, from the same run, if that is another file."""
    counterpart: CheckedRecord | None = None
    """From the same run: a variant's plain build, or the same Python with the GIL for a free-threaded build."""
    _variances: dict[tuple[str, str, str, Compared], float | None] = field(default_factory=dict, init=False, repr=False)

    @property
    def run(self) -> str:
        """Id of its run."""
        return self.file.record.run.id

    @property
    def is_reference(self) -> bool:
        return self.file.record.build == self.file.record.reference_build

    @property
    def why_excluded(self) -> str:
        """Why this run decides nothing; empty if it counts."""
        return self.file.why_excluded

    @property
    def order(self) -> tuple[str, str]:
        """Its place among runs by time."""
        return self.file.order

    @functools.cached_property
    def hashes(self) -> Mapping[tuple[str, str], set[str]]:
        """By scenario and runner: the hashes of its file as measured on its own build."""
        by_runner: dict[tuple[str, str], set[str]] = defaultdict(set)
        for key, series in self.series.items():
            if key.role == "subject":
                by_runner[key.scenario, key.runner].add(series.source_sha256)
        return by_runner

    def find(self, key: SeriesKey) -> CheckedSeries | None:
        """Return a series; in the role `reference` from the reference build's file, if its own has none."""
        if key.role == "reference" and self.reference and key not in self.series:
            return self.reference.series.get(key._replace(role="subject"))
        return self.series.get(key)

    def metrics(self, key: SeriesKey) -> tuple[Metric, ...]:
        return self.scenarios[key.scenario].metrics

    def packages(self, key: SeriesKey) -> tuple[str, ...]:
        """Return the packages that a series' runner imports."""
        return self.scenarios[key.scenario].runners[key.runner].packages

    def other_versions(self, key: SeriesKey) -> str:
        """Format the packages of a series that differ on the reference build: "tornado 6.5.10, not 6.6.1"."""
        record, names = self.file.record, self.packages(key)
        if record.packages == record.reference_packages:
            return ""
        ours, theirs = (required_versions(each, names) for each in (record.packages, record.reference_packages))
        differing = (name for name in sorted(ours.keys() & theirs.keys()) if ours[name] != theirs[name])
        return "; ".join(f"{name} {ours[name]}, not {theirs[name]}" for name in differing)

    def block_variance(self, series: CheckedSeries, metric: Metric, compared: Compared) -> float | None:
        """Return the variance of rounds on the log scale, averaged over the series of a block; None if unknown."""
        at = (series.key.scenario, series.block, metric.name, compared)
        if at not in self._variances:
            alike = (each for each in self.series.values() if (each.key.scenario, each.block) == at[:2])
            rounds = (self._rounds(each, metric, compared) for each in alike if each.key.role != "reference")
            known = [variance for each in rounds if (variance := log_variance(each)) is not None]
            self._variances[at] = fmean(known) if known else None
        return self._variances[at]

    def _rounds(self, series: CheckedSeries, metric: Metric, compared: Compared) -> Sequence[float]:
        if compared == "value":
            return [*series.by_round(metric).values()]
        if compared == "within":
            return [] if series.baseline == series.key else series.ratios(self.find(series.baseline), metric)
        is_control = series.key.role == "control"
        return [] if is_control else series.ratios(self.find(series.key._replace(role="reference")), metric)


def reduce_series(record: Record, scenarios: Mapping[str, Scenario]) -> dict[SeriesKey, CheckedSeries]:
    """Reduce the series that the catalogue still has, before the gate judges them."""
    known: dict[SeriesKey, Series] = {
        _shared(series.key): series for series in record.series if _is_known(series, scenarios)
    }
    ideals: dict[tuple[object, ...], Ideals] = {}
    find_baseline = functools.cache(lambda name, block: scenarios[name].find_baseline(block))
    versions = functools.cache(functools.partial(_versions, record))
    reduced = {}
    for key, series in known.items():
        scenario = scenarios[key.scenario]
        block, at_once = scenario.find_block(key.case), series.observed.asked_at_once if series.observed else None
        case, runner = find_baseline(key.scenario, block)
        baseline = _shared(SeriesKey(key.scenario, case, runner, "reference" if key.role == "reference" else "subject"))
        at = (baseline, key.case, at_once)
        if at not in ideals:
            ideals[at] = _ideals(record, scenario, series, known.get(baseline))
        samples = series.samples
        reduced[key] = CheckedSeries(
            key=key,
            block=block,
            baseline=baseline,
            status=_status(series),
            reason=series.reason,
            source_sha256=_shared(series.source_sha256),
            versions=versions(scenario.runners[key.runner].packages, on_reference=key.role == "reference"),
            observed=series.observed,
            rounds=_shared(tuple(samples.round)),
            positions=tuple(samples.position),
            statuses=_shared(tuple(samples.status)),
            reasons=_shared(tuple(samples.reason)),
            values=dict(_values(series, scenario)),
            ideals=ideals[at],
            has_all_rounds={*samples.status} <= {"ok", "not_reached"},
        )
    return reduced


def _is_known(series: Series, scenarios: Mapping[str, Scenario]) -> bool:
    scenario = scenarios.get(series.scenario)
    return scenario is not None and series.case in scenario.cases and series.runner in scenario.runners


def _status(series: Series) -> Status:
    """Return a series' status. Older records have "failed" if packages without free threading turned the GIL on."""
    return "unsupported" if series.status == "failed" and series.reason == GIL_REENABLED[0] else series.status


def _versions(record: Record, names: tuple[str, ...], *, on_reference: bool) -> str:
    versions = required_versions(record.reference_packages if on_reference else record.packages, names)
    return ", ".join(f"{name} {versions[name]}" for name in sorted(versions))


@functools.cache
def _shared(equal: Any) -> Any:  # noqa: ANN401 - anything immutable
    return equal  # kept once: series of many files have the same keys, rounds and statuses


def _values(series: Series, scenario: Scenario) -> Iterator[tuple[str, array[float]]]:
    """Yield the columns of a series' metrics; all columns of numbers if it is of the map."""
    samples, computed = series.samples, [metric for metric in scenario.metrics if metric.compute]
    names = [metric.name for metric in scenario.metrics if not metric.compute]
    for name in samples.values if scenario.cases[series.case].map else names:
        column: Sequence[Any] = samples.values.get(name, [[]])
        if list not in {*map(type, column)}:
            rows = zip(samples.status, column, strict=True)
            yield name, array("d", [math.nan if status != "ok" or each is None else each for status, each in rows])
    if computed:
        measured = [row.values if row.status == "ok" else None for row in samples.rows()]
        for metric in computed:
            yield metric.name, array("d", [_value(metric, columns) for columns in measured])


def _value(metric: Metric, columns: Columns | None) -> float:
    try:
        value = metric.compute(columns) if metric.compute and columns is not None else None
    except NO_VALUE:
        return math.nan
    return float(value) if value is not None and math.isfinite(value) else math.nan


def _ideals(record: Record, scenario: Scenario, series: Series, baseline: Series | None) -> Ideals:
    """Return the limits for the scenario's first metric, each from the baseline's raw columns of its round."""
    if (compute := scenario.ideal.compute) is None:
        return Ideals({}, is_fixed=True)
    at_once = series.observed.asked_at_once if series.observed else None
    parameters = {**scenario.cases[series.case].parameters, **({} if at_once is None else {"limit": at_once})}
    rounds, cores = range(1, record.run.rounds + 1), record.machine.usable_cores
    fixed = _fixed_limit(compute, tuple(parameters.items()), cores)
    if fixed is not None:
        return Ideals(dict.fromkeys(rounds, fixed), is_fixed=True)
    columns = {row.round: row.values for row in baseline.samples.ok_rows()} if baseline else {}
    limits = {number: _limit(compute, parameters, cores, columns.get(number, {})) for number in rounds}
    return Ideals({number: limit for number, limit in limits.items() if limit is not None}, is_fixed=False)


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
    return ", ".join(f"{name} {a} and {b}" for name, (a, b) in pairs.items() if a != b)


def calibration_difference(first: Mapping[str, int], second: Mapping[str, int]) -> str:
    """Format how two runs' calibrations differ: "turns per ms 15,849 and 16,788"; empty if alike.

    A scenario that fits its work to the machine calibrates once per run. A different calibration means different work.
    """
    differing = []
    for name in sorted({*first, *second}):
        values = [calibration.get(name) for calibration in (first, second)]
        known = [value for value in values if value is not None]
        if len(known) < len(values) or max(known) > (1 + MOST_APART) * min(known):
            described = " and ".join("none" if value is None else f"{value:,}" for value in values)
            differing.append(f"{name.replace('_', ' ')} {described}")
    return ", ".join(differing)
