"""Makes frames of result files: one row a series and metric, or a sample and metric. Pure.

A series that the sanity gate refuses has the status `failed`, the gate's reason and no values; one whose names the
catalogue no longer has is kept, with a note. Nothing that a file holds is dropped.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from generate.analysis.decision import as_undecided, decides
from generate.analysis.gate import Fault, faults_of, refusals
from generate.analysis.series import RecordView, efficiency_by_round, key_of
from generate.results.collector import held_off
from generate.statistics.intervals import FEWEST_PAIRS, compare, median_intervals, paired_ratios
from generate.text.names import cell_address
from runners.harness.record.build_names import build_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from generate.analysis.series import ByRound, SeriesKey
    from generate.results.load import ResultFile
    from generate.statistics.intervals import Comparison
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.contract import Metric
    from runners.harness.record.model import Series

_FILE = ["path", "cell", "machine", "build", "run_id", "started", "profile"]
_SERIES = ["scenario", "block", "case", "runner", "family", "role"]
_METRIC = ["metric", "title", "unit", "better"]
TEXT = [*_FILE, *_SERIES, *_METRIC, "status", "reason", "note", "source_sha256"]
"""Columns of text; None where there is none."""
FLAGS = ["local", "complete", "is_current", "scenario_is_current"]
"""Columns that are true or false."""


@dataclass(frozen=True, slots=True)
class GatedRecord:
    """One file as the frames see it."""

    file: ResultFile
    """The file."""
    cell: str
    """The name of its cell."""
    view: RecordView
    """Its record through the catalogue."""
    faults: list[Fault]
    """What the sanity gate found."""
    refused: Mapping[SeriesKey, str]
    """Series that the gate refuses, and the reason to print."""

    def by_round(self, series: Series | None, metric: Metric) -> ByRound:
        """Return a metric's values by round; none where the series is absent or refused."""
        return (
            {}
            if series is None or (self.refused and key_of(series) in self.refused)
            else self.view.by_round(series, metric)
        )

    def ideal_by_round(self, series: Series, metric: Metric) -> ByRound:
        """Return the limit of the scenario's first metric; none for others, and none from a refused baseline."""
        base = self.view.baseline(series)
        if metric is not self.view.metrics(series)[0] or (base is not None and key_of(base) in self.refused):
            return {}
        return self.view.ideals(series).by_round

    def noise(self, series: Series, metric: Metric) -> Comparison | None:
        """Return the baseline of a series' block against itself, under its second name; None without a control."""
        control, base = self.view.control(series), self.view.baseline(series)
        return self.compared(control, base, metric) if control and base else None

    def compared(self, series: Series, other: Series, metric: Metric) -> Comparison | None:
        """Compare two series of one block; undecided unless they may decide, and the control that tells their noise."""
        found = compare(self.by_round(series, metric), self.by_round(other, metric))
        return as_undecided(found, decides_too=self.decides(series, other))

    def decides(self, series: Series, other: Series | None) -> bool:
        """Tell whether a comparison may decide: a round of its control that failed may have been the noisy one."""
        control = self.view.control(series)
        return decides(self.file.record, series, other, *([control] if control else []))


class Row(NamedTuple):
    """What a row of the summaries is of."""

    seen: GatedRecord
    series: Series
    metric: Metric
    by_round: ByRound
    """The values that are summed up."""

    @property
    def block(self) -> tuple[str, str, str, str]:
        """What the rows of one block and metric have in common."""
        return self.seen.file.path, self.series.scenario, self.seen.view.block(self.series), self.metric.name


@held_off()
def look(files: Sequence[ResultFile], scenarios: Mapping[str, Scenario]) -> list[GatedRecord]:
    """Look at the files' records through the catalogue's *scenarios*, and put them through the sanity gate."""
    shared: dict[tuple[int, str], ByRound] = {}  # the files of a run share the reference build's samples
    return [_look(file, scenarios, shared) for file in files]


def _look(file: ResultFile, scenarios: Mapping[str, Scenario], shared: dict[tuple[int, str], ByRound]) -> GatedRecord:
    view = RecordView(file.record, scenarios, shared)
    found = faults_of(view)
    cell = cell_address(file.record.machine.label, build_name(file.record.build), local=file.local)
    return GatedRecord(file, cell, view, found, refusals(found))


@held_off()
def summaries(seen: Sequence[GatedRecord], *, references: bool = True) -> pd.DataFrame:
    """Return one row a file, series and metric, in the order of the files and of their series.

    Without *references* the reference build's series have no rows of their own: they repeat another file's.

    Values are in the metric's `unit`. `low` and `high` bound the median with probability `coverage`. `ratio` and its
    bounds are the series over the block's baseline, paired by round, in the same record and on the same build; for the
    control they are the noise floor, which is repeated as `noise_low` and `noise_high` in each row of the block.
    `ideal` and `efficiency` are medians over the rounds, of the first metric. `reference_ratio` is the series over the
    same series on the reference build. A number that does not exist is NaN; `rounds` and the numbers of pairs are then
    0.
    """
    wanted = [
        (one, series) for one in seen for series in one.file.record.series if references or series.role != "reference"
    ]
    rows = [
        Row(one, series, metric, one.by_round(series, metric))
        for one, series in wanted
        for metric in one.view.metrics(series)
    ]
    facts = [fact for one, series in wanted for fact in _facts(one, series)]
    frame = _frame(facts, [*TEXT, *FLAGS], dict.fromkeys(FLAGS, bool))
    return pd.concat([frame, pd.DataFrame({**_values(rows), **_ratios(rows), **_ideals(rows)})], axis=1)


@held_off()
def samples(seen: Sequence[GatedRecord], scenario: str) -> pd.DataFrame:
    """Return one row a sample and metric of one scenario, those that failed included (`value` is then NaN).

    The reference build's have none: they are the samples of another file.

    `sample_status` and `sample_reason` are the sample's, `status` and `reason` the series', as in `summaries`.
    """
    rows: list[tuple[object, ...]] = []
    for one in seen:
        for series in one.file.record.series:
            if series.scenario == scenario and series.role != "reference":
                for metric, facts in zip(one.view.metrics(series), _facts(one, series), strict=True):
                    rows += _sample_rows(one, series, metric, facts)
    columns = [*TEXT, *FLAGS, "round", "position", "sample_status", "sample_reason", "value"]
    return _frame(rows, columns, dict.fromkeys(FLAGS, bool) | {"round": int, "position": int, "value": float})


def _frame(rows: Sequence[tuple[object, ...]], columns: list[str], types: dict[str, type]) -> pd.DataFrame:
    """Make a frame in which text that is absent stays None: pandas, left to itself, makes it NaN."""
    return pd.DataFrame(rows, columns=columns, dtype=object).astype(types)


def _sample_rows(
    one: GatedRecord, series: Series, metric: Metric, facts: tuple[object, ...]
) -> Iterator[tuple[object, ...]]:
    values, raw = one.by_round(series, metric), series.samples
    for number, position, status, reason in zip(raw.round, raw.position, raw.status, raw.reason, strict=True):
        value = values.get(number, math.nan) if status == "ok" else math.nan
        yield (*facts, number, position, status, reason, value)


def _facts(one: GatedRecord, series: Series) -> Iterator[tuple[object, ...]]:
    """Return what is known of a series, for each metric, in the order of TEXT and FLAGS."""
    record = one.file.record
    label, run = record.machine.label, record.run
    scenario = one.view.scenarios.get(series.scenario)
    runner = scenario.runners.get(series.runner) if scenario else None
    refused = one.refused.get(key_of(series))
    status, reason = ("failed", refused) if refused else (series.status, series.reason)
    build = build_name(one.view.build_of(series))
    of_file = (one.file.path, one.cell, label, build, run.id, run.started, run.profile)
    names = (series.scenario, one.view.block(series), series.case, series.runner, runner.family if runner else None)
    of_series = (status, reason, one.view.unknown(series), series.source_sha256, one.file.local, record.complete)
    current = runner is not None and runner.source_sha256 == series.source_sha256
    same_scenario = scenario is not None and scenario.scenario_sha256 == record.scenario_sha256.get(series.scenario)
    for metric in one.view.metrics(series):
        of_metric = (metric.name, metric.title, metric.unit, metric.better)
        yield (*of_file, *names, series.role, *of_metric, *of_series, current, same_scenario)


def _values(rows: Sequence[Row]) -> dict[str, object]:
    found = median_intervals([list(row.by_round.values()) for row in rows])
    return {
        "rounds": found.count,
        "median": found.median,
        "low": found.low,
        "high": found.high,
        "coverage": found.coverage,
        "minimum": found.minimum,
        "maximum": found.maximum,
    }


def _ratios(rows: Sequence[Row]) -> dict[str, object]:
    to_baseline = _compared(rows, [row.seen.view.baseline(row.series) for row in rows], "ratio")
    to_reference = _compared(rows, [row.seen.view.reference(row.series) for row in rows], "reference_ratio")
    noise = _noise(rows, to_baseline)
    return {**to_baseline, **to_reference, "noise_low": noise[:, 0], "noise_high": noise[:, 1]}


def _compared(rows: Sequence[Row], others: Sequence[Series | None], name: str) -> dict[str, NDArray[np.generic]]:
    """Compare each row with another series of its record by round."""
    found = median_intervals(
        [
            paired_ratios(row.by_round, row.seen.by_round(other, row.metric))
            for row, other in zip(rows, others, strict=True)
        ]
    )
    return {
        name: found.median,
        f"{name}_low": found.low,
        f"{name}_high": found.high,
        f"{name}_pairs": found.count,
        f"{name}_decided": (found.count >= FEWEST_PAIRS)
        & (found.count == [len(row.series.samples.status) for row in rows])  # a round without the value is no pair
        & np.array([row.seen.decides(row.series, other) for row, other in zip(rows, others, strict=True)], bool),
    }


def _noise(rows: Sequence[Row], ratios: Mapping[str, NDArray[np.generic]]) -> NDArray[np.float64]:
    """Give each row but the reference's the bounds of its block's control."""
    bounds = np.column_stack([ratios["ratio_low"], ratios["ratio_high"]])
    controls = {row.block: index for index, row in enumerate(rows) if row.series.role == "control"}
    where = [-1 if row.series.role == "reference" else controls.get(row.block, -1) for row in rows]
    return np.vstack([bounds, [np.nan, np.nan]])[where].reshape(-1, 2)


def _ideals(rows: Sequence[Row]) -> dict[str, object]:
    ideals, shares = [], []
    for row in rows:
        ideal = row.seen.ideal_by_round(row.series, row.metric)
        ideals.append([ideal[number] for number in ideal.keys() & row.by_round.keys()])
        shares.append(list(efficiency_by_round(ideal, row.by_round, row.metric.better).values()))
    return {"ideal": median_intervals(ideals).median, "efficiency": median_intervals(shares).median}
