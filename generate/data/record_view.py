"""One record read by the catalogue: each series' metrics by round, its baseline, control and reference. Pure.

The sanity gate and the summaries are both made from it, so that they compute alike.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from generate.data.ideals import NO_IDEALS, NO_VALUE, compute_ideals
from generate.data.packages import other_versions, versions_of
from generate.words.units import guess_kind
from runners.harness.contract import Metric
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from generate.data.ideals import ByRound, Ideals
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.contract import Parameters, Value
    from runners.harness.record.model import Build, Record, Role, Series

    Code = tuple[str, str]
    """What a series ran, as far as runs must have it in common to stand beside each other."""


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
            yield Metric(name, name, name.rpartition("_")[2], "neither", kind=guess_kind(name))
