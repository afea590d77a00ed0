"""One record seen through the catalogue: each series' metrics by round, its baseline, its ideal. Pure.

Both the sanity gate and the frames are made from it, so that they reckon alike.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from runners.harness.contract import Metric

if TYPE_CHECKING:
    from collections.abc import Iterator

    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.contract import Parameters, Value
    from runners.harness.record.model import Build, Record, Role, Series

ByRound = dict[int, float]
"""Values of the samples that are ok and have one, by round. Finite, in the metric's unit."""

_NOT_THERE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What a metric or an ideal raises over columns that an older or a shortened series lacks: it has no value then."""


class SeriesKey(NamedTuple):
    """What names a series in its record."""

    scenario: str
    case: str
    runner: str
    role: Role


def key_of(series: Series) -> SeriesKey:
    """Return what names *series* in its record."""
    return SeriesKey(series.scenario, series.case, series.runner, series.role)


class RecordView:
    """One record with its metrics. What is reckoned is kept, as several rows ask for the same baseline."""

    def __init__(
        self, record: Record, scenarios: Mapping[str, Scenario], values: dict[tuple[int, str], ByRound] | None = None
    ) -> None:
        """Look at *record* through the *scenarios*, by name; views of records that share samples may share *values*."""
        self.record = record
        self.scenarios = scenarios
        self.series = {key_of(series): series for series in record.series}
        self._places: dict[tuple[str, str], tuple[str, str, str]] = {}
        self._values = {} if values is None else values
        self._ideals: dict[tuple[SeriesKey | None, str, int | None], Ideals] = {}

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

    def parameters(self, series: Series) -> Parameters:
        """Return the parameters of the series' case; none of a case that is not known any more."""
        scenario = self.scenarios.get(series.scenario)
        return scenario.cases[series.case].parameters if scenario and series.case in scenario.cases else {}

    def block(self, series: Series) -> str:
        """Name the block in which *series* was measured; a case that is not known any more is its own."""
        return self._place(series)[0]

    def baseline(self, series: Series) -> Series | None:
        """Return the series that *series* is compared with: the block's baseline on the same build."""
        _, case, runner = self._place(series)
        role: Role = "reference" if series.role == "reference" else "subject"
        return self.series.get(SeriesKey(series.scenario, case, runner, role))

    def control(self, series: Series) -> Series | None:
        """Return the second series of the block's baseline, which tells the noise."""
        _, case, runner = self._place(series)
        return self.series.get(SeriesKey(series.scenario, case, runner, "control"))

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
        found = self.series.get(SeriesKey(*key_of(series)[:3], "reference"))
        if found is None and self.record.build == self.record.reference_build and series.role == "subject":
            return series
        return found

    def by_round(self, series: Series, metric: Metric) -> ByRound:
        """Return a metric's values by round. Samples that are not ok, and those without the value, are left out."""
        key = (id(series.samples), f"{series.scenario} {metric.name}")  # the samples live as long as this view
        if key not in self._values:
            self._values[key] = _column(series, metric.name) if metric.compute is None else _computed(series, metric)
        return self._values[key]

    def ideals(self, series: Series) -> Ideals:
        """Return the limits for the scenario's first metric; none where there are none."""
        scenario = self.scenarios.get(series.scenario)
        if scenario is None or scenario.ideal.reckon is None or series.case not in scenario.cases:
            return Ideals({}, is_fixed=True)
        base = self.baseline(series)
        at_once = series.observed.asked_at_once if series.observed else None
        key = (key_of(base) if base else None, f"{series.scenario} {series.case}", at_once)
        if key not in self._ideals:
            self._ideals[key] = self._reckon(scenario, series.case, at_once, base)
        return self._ideals[key]

    def _reckon(self, scenario: Scenario, case: str, at_once: int | None, base: Series | None) -> Ideals:
        limit = {} if at_once is None else {"limit": at_once}
        parameters = {**scenario.cases[case].parameters, **limit}
        base_columns = dict(_rows(base)) if base else {}
        rounds = range(1, self.record.run.rounds + 1)
        found: ByRound = {}
        for number in rounds:
            columns = Watched(base_columns.get(number, {}))  # a limit by waiting alone needs no baseline
            ideal = _limit(scenario, parameters, self.record.machine.usable_cores, columns)
            if not columns.looked_at:
                return Ideals({} if ideal is None else dict.fromkeys(rounds, ideal), is_fixed=True)
            if ideal is not None:
                found[number] = ideal
        return Ideals(found, is_fixed=False)


class Ideals(NamedTuple):
    """The limits of one series' first metric."""

    by_round: ByRound
    """In the metric's unit; empty where there is none."""
    is_fixed: bool
    """Whether no measurement enters them: the same in every round, and without noise."""


class Watched(Mapping[str, "Value"]):
    """Raw columns that remember whether anybody looked at them: an ideal that did not is the same in every round."""

    def __init__(self, columns: Mapping[str, Value]) -> None:
        """Watch over *columns*."""
        self._columns = columns
        self.looked_at = False

    def __getitem__(self, name: str) -> Value:
        """Return a column; `get` and `in` come here as well."""
        self.looked_at = True
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        """Go through the names."""
        self.looked_at = True
        return iter(self._columns)

    def __len__(self) -> int:
        """Return how many columns there are."""
        self.looked_at = True
        return len(self._columns)


def _limit(scenario: Scenario, parameters: Parameters, cores: int, baseline: Mapping[str, Value]) -> float | None:
    """Ask the scenario for its ideal; None where it has none, or none that is a limit."""
    try:
        ideal = scenario.ideal.reckon and scenario.ideal.reckon(parameters, cores, baseline)
    except _NOT_THERE:
        return None
    return float(ideal) if ideal is not None and math.isfinite(ideal) and ideal > 0 else None


def efficiency_by_round(ideal_by_round: ByRound, measured_by_round: ByRound, better: str) -> ByRound:
    """Return which share of the ideal was reached, by round in ascending order: 1 is the limit itself.

    It is ideal / measured where lower is better and measured / ideal where higher is; nothing where neither is.
    """
    shares: ByRound = {}
    if not ideal_by_round:
        return shares
    for number in sorted(ideal_by_round.keys() & measured_by_round.keys()):
        ideal, measured = ideal_by_round[number], measured_by_round[number]
        if better == "higher":
            shares[number] = measured / ideal
        elif better == "lower" and measured > 0:
            shares[number] = ideal / measured
    return shares


def _column(series: Series, name: str) -> ByRound:
    column = series.samples.values.get(name)
    if column is None:
        return {}
    rows = zip(series.samples.round, series.samples.status, column, strict=True)
    return {
        number: cell
        for number, status, cell in rows
        if status == "ok" and cell is not None and not isinstance(cell, list)
    }


def _computed(series: Series, metric: Metric) -> ByRound:
    found = {}
    for number, columns in _rows(series):
        try:
            value = metric.compute(columns) if metric.compute else None
        except _NOT_THERE:
            continue
        if value is not None and math.isfinite(value):
            found[number] = float(value)
    return found


def _rows(series: Series) -> Iterator[tuple[int, Mapping[str, Value]]]:
    """Go through the samples that are ok: the round and the raw columns."""
    samples = series.samples
    names = tuple(samples.values)
    cells = zip(*samples.values.values(), strict=True) if names else [()] * len(samples.round)
    for number, status, row in zip(samples.round, samples.status, cells, strict=True):
        if status == "ok":
            yield number, dict(zip(names, row, strict=True))


def _raw_metrics(series: Series) -> Iterator[Metric]:
    for name, column in series.samples.values.items():
        if not any(isinstance(cell, list) for cell in column):
            yield Metric(name, name, name.rpartition("_")[2], "neither")
