"""Sums up gated records: one row a series and metric, or a sample and metric. Pure.

A series that the sanity gate refuses has the status `failed`, the gate's reason and no values; one whose names the
catalogue no longer has is kept, with a note. Nothing that a file holds is dropped.
"""

from __future__ import annotations

from dataclasses import fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, get_type_hints

import pandas as pd

from generate.analysis.ideals import efficiency_by_round
from generate.analysis.summary import SampleValue, Summary
from generate.statistics.intervals import FEWEST_PAIRS, Comparison, Interval, median_intervals, paired_ratios
from runners.harness.record.build_names import build_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generate.analysis.gated import GatedRecord
    from generate.analysis.ideals import ByRound
    from runners.harness.contract import Metric
    from runners.harness.record.model import Series

DTYPES = {str: object, str | None: object, bool: bool, int: int, float | None: float}
"""By a column's type: that in a frame. Absent text stays None: pandas, left to itself, would make it NaN."""
NAMES_OF_A_SAMPLE = [field.name for field in fields(SampleValue)]


class Row(NamedTuple):
    """What a summary is made from."""

    record: GatedRecord
    series: Series
    metric: Metric
    by_round: ByRound
    """The values that are summed up."""

    @property
    def block(self) -> tuple[str, str, str, str]:
        """What the rows of one block and metric have in common."""
        return self.record.file.path, self.series.scenario, self.record.view.block(self.series), self.metric.name

    def ideals(self) -> list[float]:
        """Return the ideal of each round that has a value."""
        ideal = self.record.ideal_by_round(self.series, self.metric)
        return [ideal[number] for number in ideal.keys() & self.by_round]

    def efficiencies(self) -> list[float]:
        """Return the efficiency of each round that has one."""
        ideal = self.record.ideal_by_round(self.series, self.metric)
        return [*efficiency_by_round(ideal, self.by_round, self.metric.better).values()]


class Numbers(NamedTuple):
    """What is computed for a row: each None where it has no value."""

    value: Interval | None
    ratio: Comparison | None
    """Over the block's baseline."""
    reference: Comparison | None
    """Over the same series on the reference build."""
    ideal: Interval | None
    efficiency: Interval | None


def summarise(records: Sequence[GatedRecord], *, references: bool = True) -> list[Summary]:
    """Return one row a file, series and metric, in the order of the files and of their series.

    Without *references* the reference build's series have no rows of their own: they repeat another file's.
    """
    rows = [
        Row(record, series, metric, record.by_round(series, metric))
        for record in records
        for series in record.file.record.series
        if references or series.role != "reference"
        for metric in record.view.metrics(series)
    ]
    numbers = map(
        Numbers,
        _intervals([[*row.by_round.values()] for row in rows]),
        _compare(rows, [row.record.view.baseline(row.series) for row in rows]),
        _compare(rows, [row.record.view.reference(row.series) for row in rows]),
        _intervals([row.ideals() for row in rows]),
        _intervals([row.efficiencies() for row in rows]),
    )
    computed = list(zip(rows, numbers, strict=True))
    noise = {row.block: found.ratio for row, found in computed if row.series.role == "control"}
    return [
        _summary(row, found, None if row.series.role == "reference" else noise.get(row.block))
        for row, found in computed
    ]


def _intervals(many: Sequence[Sequence[float]]) -> list[Interval | None]:
    """Return the median and interval of each of *many* series, all computed at once; None of one without values."""
    found = median_intervals(many)
    columns = (found.median, found.low, found.high, found.coverage, found.count)
    return [
        Interval(*each) if each[-1] else None for each in zip(*(column.tolist() for column in columns), strict=True)
    ]


def _compare(rows: Sequence[Row], others: Sequence[Series | None]) -> list[Comparison | None]:
    """Compare each row with another series of its record by round."""
    pairs = [
        paired_ratios(row.by_round, row.record.by_round(other, row.metric))
        for row, other in zip(rows, others, strict=True)
    ]
    return [
        Comparison.of(ratios, decided=_decides(row, other, ratios.count)) if ratios else None
        for row, other, ratios in zip(rows, others, _intervals(pairs), strict=True)
    ]


def _decides(row: Row, other: Series | None, pairs: int) -> bool:
    """Tell whether so many pairs may decide: a round without the value is no pair."""
    enough = pairs >= FEWEST_PAIRS and pairs == len(row.series.samples.status)
    return enough and row.record.decides(row.series, other)


def _summary(row: Row, numbers: Numbers, noise: Comparison | None) -> Summary:
    return Summary(
        **_facts(row.record, row.series),
        metric=row.metric.name,
        title=row.metric.title,
        unit=row.metric.unit,
        better=row.metric.better,
        rounds=len(row.by_round),
        **_median(numbers.value),
        minimum=min(row.by_round.values(), default=None),
        maximum=max(row.by_round.values(), default=None),
        **_ratio("ratio", numbers.ratio),
        **_ratio("reference_ratio", numbers.reference),
        noise_low=noise.low if noise else None,
        noise_high=noise.high if noise else None,
        ideal=numbers.ideal.median if numbers.ideal else None,
        efficiency=numbers.efficiency.median if numbers.efficiency else None,
    )


def _median(found: Interval | None) -> dict[str, Any]:
    """Return the columns of a median, by name."""
    names = ("median", "low", "high", "coverage")
    return {name: getattr(found, name) if found else None for name in names}


def _ratio(name: str, found: Comparison | None) -> dict[str, Any]:
    """Return the columns of a comparison, which begin with *name*."""
    return {
        name: found.ratio if found else None,
        f"{name}_low": found.low if found else None,
        f"{name}_high": found.high if found else None,
        f"{name}_pairs": found.pairs if found else 0,
        f"{name}_decided": found is not None and found.decided,
    }


def _facts(gated: GatedRecord, series: Series) -> dict[str, Any]:
    """Return what is known of a series, whatever the metric, by the names of the columns."""
    record, view = gated.file.record, gated.view
    scenario = view.scenarios.get(series.scenario)
    runner = scenario.runners.get(series.runner) if scenario else None
    refused = gated.refused.get(series.key)
    return {
        "path": gated.file.path,
        "cell": gated.cell,
        "machine": record.machine.label,
        "build": build_name(view.build_of(series)),
        "run_id": record.run.id,
        "started": record.run.started,
        "profile": record.run.profile,
        **series.key._asdict(),
        "block": view.block(series),
        "family": runner.family if runner else None,
        "status": "failed" if refused else series.status,
        "reason": refused or series.reason,
        "note": view.unknown(series),
        "source_sha256": series.source_sha256,
        "local": gated.file.local,
        "complete": record.complete,
        "is_current": runner is not None and runner.source_sha256 == series.source_sha256,
        "scenario_is_current": scenario is not None
        and scenario.scenario_sha256 == record.scenario_sha256.get(series.scenario),
    }


def sample_values(records: Sequence[GatedRecord], scenario: str) -> Iterator[SampleValue]:
    """Give one row a sample and metric of one scenario, those that failed included (`value` is then None).

    The reference build's have none: they are the samples of another file.
    """
    for record in records:
        for series in record.file.record.series:
            if series.scenario == scenario and series.role != "reference":
                for metric in record.view.metrics(series):
                    yield from _values(record, series, metric)


def _values(record: GatedRecord, series: Series, metric: Metric) -> Iterator[SampleValue]:
    facts = {name: fact for name, fact in _facts(record, series).items() if name in NAMES_OF_A_SAMPLE}
    values, samples = record.by_round(series, metric), series.samples
    of_samples = zip(samples.round, samples.position, samples.status, samples.reason, strict=True)
    for number, position, status, reason in of_samples:
        yield SampleValue(
            **facts,
            metric=metric.name,
            unit=metric.unit,
            round=number,
            position=position,
            sample_status=status,
            sample_reason=reason,
            value=values.get(number) if status == "ok" else None,
        )


def to_frame(rows: Sequence[Summary | SampleValue], kind: type[Summary | SampleValue]) -> pd.DataFrame:
    """Return the rows as a frame, of the columns of *kind*: for what is joined, grouped or written."""
    return pd.DataFrame(
        {
            name: pd.Series(list(map(attrgetter(name), rows)), dtype=DTYPES[column])
            for name, column in get_type_hints(kind).items()
        }
    )
