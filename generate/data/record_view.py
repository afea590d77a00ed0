"""One record read by the catalogue: each series' metrics by round, its baseline, control and reference. Pure.

The sanity gate and the summaries are both made from it, so that they compute alike.
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


class RecordView:
    """One record with its metrics. What is computed is kept, as several rows ask for the same baseline."""

    def __init__(
        self,
        record: Record,
        scenarios: Mapping[str, Scenario],
        values: dict[tuple[int, str, str], ByRound] | None = None,
    ) -> None:
        """Read *record* by the *scenarios*, by name; views of records that share samples may share *values*."""
        self.record = record
        self.scenarios = scenarios
        self.series = {series.key: series for series in record.series}
        self._places: dict[tuple[str, str], tuple[str, str, str]] = {}
        self._values = {} if values is None else values
        self._versions: dict[tuple[tuple[str, ...], bool], str] = {}
        self._ideals: dict[tuple[SeriesKey | None, str, str, int | None], Ideals] = {}

    def build_of(self, series: Series) -> Build:
        """Return the build that ran *series*."""
        return self.record.reference_build if series.role == "reference" else self.record.build

    def metrics(self, series: Series) -> tuple[Metric, ...]:
        """Return the scenario's metrics; of a scenario that is not known any more, each raw column but lists."""
        scenario = self.scenarios.get(series.scenario)
        return scenario.metrics if scenario is not None else tuple(_raw_metrics(series))

    def unknown(self, series: Series) -> str | None:
        """Say which of the series' names this version's catalogue does not have; None: it has all."""
        scenario = self.scenarios.get(series.scenario)
        if scenario is None:
            return "scenario unknown to this version"
        if series.case not in scenario.cases:
            return "case unknown to this version"
        return None if series.runner in scenario.runners else "runner unknown to this version"

    def packages(self, series: Series) -> tuple[str, ...]:
        """Return the packages that the series' runner imports; none of a runner that is not known any more."""
        scenario = self.scenarios.get(series.scenario)
        runner = scenario.runners.get(series.runner) if scenario else None
        return runner.packages if runner else ()

    def versions(self, series: Series) -> str:
        """Return the versions of all packages that its runner was measured with: "aiohttp 3.13.5, yarl 1.22.0".

        Empty where it needs none.
        """
        if not (names := self.packages(series)):
            return ""
        is_reference = series.role == "reference"
        if (names, is_reference) not in self._versions:
            versions = versions_of(self.record.reference_packages if is_reference else self.record.packages, names)
            written = ", ".join(f"{name} {versions[name]}" for name in sorted(versions))
            self._versions[names, is_reference] = written
        return self._versions[names, is_reference]

    def code(self, key: SeriesKey) -> Code | None:
        """Return what ran as a series: the hash of its runner's file, and its packages; None where there is none."""
        series = self.series.get(key)
        return (series.source_sha256, self.versions(series)) if series else None

    def other_versions(self, series: Series) -> str:
        """Name those of its packages of which the reference build has another version: "tornado 6.5.10, not 6.6.1"."""
        if not (names := self.packages(series)):
            return ""
        ours, theirs = (versions_of(of, names) for of in (self.record.packages, self.record.reference_packages))
        return "; ".join(other_versions(ours, theirs, ", not "))

    def parameters(self, series: Series) -> Parameters:
        """Return the parameters of the series' case; none of a case that is not known any more."""
        scenario = self.scenarios.get(series.scenario)
        return scenario.cases[series.case].parameters if scenario and series.case in scenario.cases else {}

    def block(self, series: Series) -> str:
        """Name the block in which *series* was measured; a case that is not known any more is its own."""
        return self._place(series)[0]

    def in_block(self, scenario: str, block: str) -> list[Series]:
        """Return the series that were measured in a block, of both builds where two were."""
        return [series for series in self.record.series if series.scenario == scenario and self.block(series) == block]

    def baseline(self, series: Series) -> Series | None:
        """Return the series that *series* is compared with: the block's baseline on the same build."""
        _, case, runner = self._place(series)
        return self.series.get(SeriesKey(series.scenario, case, runner, self._beside(series)))

    def control(self, series: Series) -> Series | None:
        """Return the second series of the block's baseline, which shows the noise."""
        _, case, runner = self._place(series)
        return self.series.get(SeriesKey(series.scenario, case, runner, "control"))

    @staticmethod
    def _beside(series: Series) -> Role:
        """Return the role of what was measured on the same build as *series*."""
        return "reference" if series.role == "reference" else "subject"

    def _place(self, series: Series) -> tuple[str, str, str]:
        """Return the block, and the case and runner of its baseline: empty for a case that is not known any more."""
        at = (series.scenario, series.case)
        if at not in self._places:
            scenario = self.scenarios.get(series.scenario)
            if scenario is None or series.case not in scenario.cases:
                self._places[at] = (series.case, "", "")
            else:
                block = scenario.block_of(series.case)
                self._places[at] = (block, *scenario.baseline_of(block))
        return self._places[at]

    def reference(self, series: Series) -> Series | None:
        """Return the reference build's series of the same case and runner; its own where it ran on that build."""
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
        """Return the limits for the scenario's first metric; none where there are none."""
        scenario = self.scenarios.get(series.scenario)
        if scenario is None or series.case not in scenario.cases:
            return NO_IDEALS
        base = self.baseline(series)
        at_once = series.observed.asked_at_once if series.observed else None
        key = (base.key if base else None, series.scenario, series.case, at_once)
        if key not in self._ideals:
            limit = {} if at_once is None else {"limit": at_once}
            parameters = {**scenario.cases[series.case].parameters, **limit}
            cores, rounds = self.record.machine.usable_cores, self.record.run.rounds
            self._ideals[key] = compute_ideals(scenario.ideal, parameters, cores, base, rounds)
        return self._ideals[key]


def _column(series: Series, name: str) -> ByRound:
    samples = series.samples
    cells = zip(samples.round, samples.status, samples.values.get(name, ()), strict=False)
    ok: dict[int, Any] = {number: cell for number, status, cell in cells if status == "ok" and cell is not None}
    return {} if list in set(map(type, ok.values())) else ok


def _computed(series: Series, metrics: Sequence[Metric]) -> dict[str, ByRound]:
    """Return the values of computed metrics by name, in one go: to make the rows takes longer than to compute."""
    computed: dict[str, ByRound] = {metric.name: {} for metric in metrics}
    for row in series.samples.ok_rows():
        for metric in metrics:
            value = _value(metric, row.values)
            if value is not None:
                computed[metric.name][row.round] = value
    return computed


def _value(metric: Metric, columns: Mapping[str, Value]) -> float | None:
    try:
        value = metric.compute(columns) if metric.compute else None
    except NO_VALUE:
        return None
    return float(value) if value is not None and math.isfinite(value) else None


def _raw_metrics(series: Series) -> Iterator[Metric]:
    for name, column in series.samples.values.items():
        if not any(isinstance(cell, list) for cell in column):
            yield Metric(name, name, name.rpartition("_")[2], "neither")


ByRound = dict[int, float]
"""Values of the samples that are ok and have one, by round. Finite, in the metric's unit."""
NO_VALUE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What a metric or an ideal raises over columns that an older or a shortened series lacks: it has no value then."""


class Ideals(NamedTuple):
    """The limits of one series' first metric."""

    by_round: ByRound
    """In the metric's unit; empty where there is none."""
    is_fixed: bool
    """Whether no measurement enters them: the same in every round, and without noise."""


NO_IDEALS = Ideals({}, is_fixed=True)


class Watched(Mapping[str, "Value"]):
    """Raw columns that remember whether anybody read them: an ideal that did not is the same in every round."""

    def __init__(self, columns: Columns) -> None:
        """Watch over *columns*."""
        self._columns = columns
        self.was_read = False

    def __getitem__(self, name: str) -> Value:
        """Return a column; `get` and `in` come here as well."""
        self.was_read = True
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        """Go through the names."""
        self.was_read = True
        return iter(self._columns)

    def __len__(self) -> int:
        """Return how many columns there are."""
        self.was_read = True
        return len(self._columns)


def compute_ideals(ideal: Ideal, parameters: Parameters, cores: int, baseline: Series | None, rounds: int) -> Ideals:
    """Return the *ideal* of each of the *rounds* from the *baseline*'s raw columns of that round."""
    if ideal.compute is None:
        return NO_IDEALS
    limit, is_fixed = _fixed_limit(ideal.compute, tuple(parameters.items()), cores)
    if is_fixed:
        return NO_IDEALS if limit is None else Ideals(dict.fromkeys(range(1, rounds + 1), limit), is_fixed=True)
    columns = {row.round: row.values for row in baseline.samples.ok_rows()} if baseline else {}
    by_round: ByRound = {}
    for number in range(1, rounds + 1):
        limit = _limit(ideal.compute, parameters, cores, columns.get(number, {}))
        if limit is not None:
            by_round[number] = limit
    return Ideals(by_round, is_fixed=False)


@functools.lru_cache(maxsize=1000)
def _fixed_limit(compute: Compute, parameters: tuple[tuple[str, Any], ...], cores: int) -> tuple[float | None, bool]:
    """Return the limit that needs no baseline, as by waiting alone, and whether it is one: the same in all files."""
    columns = Watched({})
    limit = _limit(compute, dict(parameters), cores, columns)
    return limit, not columns.was_read


def _limit(compute: Compute, parameters: Parameters, cores: int, baseline: Columns) -> float | None:
    """Ask the scenario for its ideal; None where it has none that is a limit."""
    try:
        limit = compute(parameters, cores, baseline)
    except NO_VALUE:
        return None
    return float(limit) if limit is not None and math.isfinite(limit) and limit > 0 else None


def efficiency_by_round(ideal_by_round: ByRound, measured_by_round: ByRound, better: str) -> ByRound:
    """Return which share of the ideal was reached, by round in ascending order: 1 is the limit itself.

    It is ideal / measured where lower is better and measured / ideal where higher is; nothing where neither is.
    """
    shares: ByRound = {}
    for number in sorted(ideal_by_round.keys() & measured_by_round.keys()):
        ideal, measured = ideal_by_round[number], measured_by_round[number]
        if better == "higher":
            shares[number] = measured / ideal
        elif better == "lower" and measured > 0:
            shares[number] = ideal / measured
    return shares


_normal: Callable[[str], str] = functools.cache(canonicalize_name)  # asked for each series, of the same few names


def versions_of(packages: Mapping[str, Package], roots: Iterable[str]) -> Versions:
    """Return the versions of the *roots* and of all that they need, as far as a record says; where it does not, of all.

    A package that is not installed has no version, and neither has what would be needed by it. A record lists
    zope.interface under that name, and names it zope-interface where it is required.
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


def other_versions(ours: Versions, theirs: Versions, between: str = " and ") -> list[str]:
    """Name the packages of which both have a version, and not the same: "tornado 6.5.10 and 6.6.1".

    What only one of two builds needs, as a backport on an old Python, is no other version.
    """
    differing = (name for name in sorted(ours.keys() & theirs.keys()) if ours[name] != theirs[name])
    return [f"{name} {ours[name]}{between}{theirs[name]}" for name in differing]


def changed_packages(ours: Versions, theirs: Versions) -> dict[str, tuple[str, str]]:
    """Return both versions of the packages of which both have one, and not the same.

    What a version was made from, which may be the long name of a wheel, is left out where the versions tell it already.
    """
    both = {name: (ours[name], theirs[name]) for name in sorted(ours.keys() & theirs.keys())}
    bare = {name: (one.partition(" ")[0], other.partition(" ")[0]) for name, (one, other) in both.items()}
    return {
        name: bare[name] if bare[name][0] != bare[name][1] else (one, other)
        for name, (one, other) in both.items()
        if one != other
    }


def package_difference(first: Record, second: Record, roots: Iterable[str]) -> str:
    """Name the packages that differ between the reference builds of two records; empty where none does.

    What is divided by the same on the reference build cancels a change of a package that both have.
    """
    names = [*roots]
    ours, theirs = (versions_of(record.reference_packages, names) for record in (first, second))
    differing = sorted(name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name))
    words = [f"{name} {ours.get(name, 'absent')} and {theirs.get(name, 'absent')}" for name in differing]
    return ", ".join(words)


MOST_APART = 0.01
"""Share by which calibrations of two runs may differ. Those of like machines are the same, rounded to steps."""


def calibration_difference(first: Mapping[str, int], second: Mapping[str, int]) -> str:
    """Say what differs in what two runs found, by name: "turns per ms 15,849 and 16,788"; empty where nothing does."""
    names = [name for name in sorted({*first, *second}) if not _is_alike(first.get(name), second.get(name))]
    return ", ".join(f"{name.replace('_', ' ')} {_words(first, name)} and {_words(second, name)}" for name in names)


def _is_alike(first: int | None, second: int | None) -> bool:
    if first is None or second is None:
        return False
    return max(first, second) <= (1 + MOST_APART) * min(first, second)


def _words(found: Mapping[str, int], name: str) -> str:
    return f"{found[name]:,}" if name in found else "none"


def series_status(series: Series) -> Status:
    """Return a series' status; older records call it failed if unsupporting packages turned the GIL on."""
    return "unsupported" if series.status == "failed" and series.reason == GIL_REENABLED[0] else series.status
