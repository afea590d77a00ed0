"""Sums up gated records: one row a series and metric, or a sample and metric. Pure.

A series that the sanity gate refuses has the status `failed`, the gate's reason and no values; one whose names the
catalogue no longer has is kept, with a note. Nothing that a file holds is dropped.
"""

from __future__ import annotations

import math
from functools import reduce
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, get_type_hints

from generate.analysis.between_runs import Spread
from generate.analysis.gated import has_all_pairs
from generate.analysis.ideals import efficiency_by_round
from generate.analysis.summary import SampleValue, Summary
from generate.statistics.intervals import FEWEST_PAIRS, Comparison, median_intervals, paired_ratios, without_nan
from generate.statistics.noise import noise_band, wider
from generate.statistics.quick import speaks
from generate.text.statuses import status_of
from runners.harness.record.build_names import build_name

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    import pandas as pd

    from generate.analysis.between_runs import Place, SeveralRuns
    from generate.analysis.gated import Beside, GatedRecord
    from generate.analysis.ideals import ByRound
    from generate.analysis.series import RecordView
    from generate.results.model import Measured
    from runners.harness.contract import Metric
    from runners.harness.record.model import Series

DTYPES: dict[object, type | str] = {
    str: object,
    str | None: object,
    bool: bool,
    bool | None: "boolean",
    int: int,
    float | None: float,
}
"""By a column's type: that in a frame. Absent text stays None: pandas, left to itself, would make it NaN."""
SUMMARY_DTYPES = {name: DTYPES[kind] for name, kind in get_type_hints(Summary).items()}
SAMPLE_DTYPES = {name: DTYPES[kind] for name, kind in get_type_hints(SampleValue).items()}


class Other(NamedTuple):
    """A series with which another is compared."""

    series: Series | None
    """None where there is none."""
    may_decide: bool
    """Whether the comparison may decide, whatever the metric."""


class Row(NamedTuple):
    """What a summary is made from."""

    record: GatedRecord
    series: Series
    metric: Metric
    facts: dict[str, Any]
    """What is known without any value, by the names of the columns."""
    by_round: ByRound
    """The values that are summed up."""
    ideal: ByRound
    """Their ideal; empty where there is none."""
    baseline: Other
    reference: Other

    @property
    def block(self) -> tuple[str, str, str, str]:
        """What the rows of one block and metric have in common."""
        return self.record.file.path, self.series.scenario, self.facts["block"], self.metric.name


def summarise(records: Sequence[GatedRecord], spreads: Mapping[Place, SeveralRuns] | None = None) -> list[Summary]:
    """Return one row a file, series and metric, in the order of the files and of their series.

    The reference build's series have none: they repeat another file's. *spreads* are what other runs of a build say of
    the same series.
    """
    rows = [row for record in records for row in _rows(record)]
    columns = _medians(rows)
    columns |= _ratios("ratio", rows, [row.baseline for row in rows], "block")
    columns |= _ratios("reference_ratio", rows, [row.reference for row in rows], "reference")
    columns |= _noise(rows, columns)
    columns |= _between_runs(rows, spreads or {})
    numbers = zip(*columns.values(), strict=True)
    return [
        Summary(**row.facts, **dict(zip(columns, of_row, strict=True)))
        for row, of_row in zip(rows, numbers, strict=True)
    ]


def _rows(record: GatedRecord) -> Iterator[Row]:
    of_file = _facts_of_file(record)
    for series in record.file.record.series:
        if series.role != "reference":
            yield from _rows_of(record, series, of_file | _facts(record, series))


def _rows_of(record: GatedRecord, series: Series, known: dict[str, Any]) -> Iterator[Row]:
    view = record.view
    reference = None if series.role == "control" else view.reference(series)  # a control is there to show noise
    others = [Other(other, record.decides(series, other)) for other in (view.baseline(series), reference)]
    for metric in view.metrics(series):
        facts = known | {"metric": metric.name, "title": metric.title, "unit": metric.unit, "better": metric.better}
        values, ideal = record.by_round(series, metric), record.ideal_by_round(series, metric)
        yield Row(record, series, metric, facts, values, ideal, *others)


def _medians(rows: Sequence[Row]) -> dict[str, list[Any]]:
    """Return the columns of the values, the ideals and the efficiencies."""
    values = median_intervals([[*row.by_round.values()] for row in rows])
    ideals = median_intervals([[row.ideal[number] for number in row.ideal.keys() & row.by_round] for row in rows])
    shares = [[*efficiency_by_round(row.ideal, row.by_round, row.metric.better).values()] for row in rows]
    names = ("median", "low", "high", "coverage", "minimum", "maximum")
    columns = {"rounds": values.count.tolist(), **{name: without_nan(getattr(values, name)) for name in names}}
    return columns | {"ideal": without_nan(ideals.median), "efficiency": without_nan(median_intervals(shares).median)}


def _ratios(name: str, rows: Sequence[Row], others: Sequence[Other], beside: Beside) -> dict[str, list[Any]]:
    """Return the columns of a comparison, by round, of each row with another series of its record."""
    paired = [
        paired_ratios(row.by_round, row.record.by_round(other.series, row.metric))
        for row, other in zip(rows, others, strict=True)
    ]
    intervals = median_intervals(paired)
    low, high = without_nan(intervals.low), without_nan(intervals.high)
    for index, (row, other, ratios) in enumerate(zip(rows, others, paired, strict=True)):
        if other.series is not row.series and speaks(ratios):
            quick = row.record.interval(ratios, row.series, row.metric, beside)
            low[index], high[index] = quick.low, quick.high
    return {
        name: without_nan(intervals.median),
        f"{name}_low": low,
        f"{name}_high": high,
        f"{name}_pairs": intervals.count.tolist(),
        f"{name}_decided": [_decides(*of_row) for of_row in zip(rows, others, paired, strict=True)],
    }


def _decides(row: Row, other: Other, ratios: Sequence[float]) -> bool:
    """Say whether paired *ratios* may decide; those of a series to itself do not."""
    if other.series is row.series or not other.may_decide:
        return False
    return (len(ratios) >= FEWEST_PAIRS or speaks(ratios)) and has_all_pairs(row.series, ratios)


def _noise(rows: Sequence[Row], ratios: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    """Return the columns of the noise: of each row what its block's controls show."""
    of_rows = (ratios[f"ratio{end}"] for end in ("", "_low", "_high", "_pairs", "_decided"))
    shown = {
        (row.block, row.series.key): Comparison(ratio, low, high, 0.0, *whether)
        for row, ratio, low, high, *whether in zip(rows, *of_rows, strict=True)
        if None not in {ratio, low, high}
    }
    noise = []
    for row in rows:
        control, second = row.record.view.control(row.series), row.record.view.second_control(row.series)
        keys = [(row.block, each.key) for each in (control, second) if each]
        is_known = control is not None and keys[0] in shown
        noise.append(reduce(wider, [shown[key] for key in keys if key in shown]) if is_known else None)
    columns = {f"noise_{name}": [each and getattr(each, name) for each in noise] for name in ("ratio", "low", "high")}
    reaches = (noise_band(each)[1] if each else math.inf for each in noise)
    return columns | {"noise_reach": [reach if math.isfinite(reach) else None for reach in reaches]}


def _between_runs(rows: Sequence[Row], spreads: Mapping[Place, SeveralRuns]) -> dict[str, list[Any]]:
    """Return the columns of what other runs of the same build say of each row."""
    found = [spreads.get((row.record.file.path, *row.series.key, row.metric.name)) for row in rows]
    columns: dict[str, list[Any]] = {"runs": [several.runs if several else 1 for several in found]}
    for prefix, spread_of in (("runs", attrgetter("value")), ("runs_ratio", attrgetter("ratio"))):
        of_rows = [(several and spread_of(several)) or (None, None, 0, False) for several in found]
        for number, name in enumerate(Spread._fields):
            columns[f"{prefix}_{name}"] = [spread[number] for spread in of_rows]
    return columns


def _facts_of_file(gated: GatedRecord) -> dict[str, Any]:
    """Return what is known of all series of a file, by the names of the columns."""
    record = gated.file.record
    return {
        "path": gated.file.path,
        "schema_version": record.schema_version,
        "cell": gated.cell,
        "machine": record.machine.label,
        "processor": record.machine.cpu,
        "build": build_name(record.build),
        "reference_build": build_name(record.reference_build),
        "reference_path": gated.reference_path,
        "python": record.build.version,
        "free_threaded": record.build.free_threaded,
        "jit": record.build.jit,
        "run_id": record.run.id,
        "started": record.run.started,
        "profile": record.run.profile,
        "local": gated.file.local,
        "complete": record.complete,
    }


def _facts(gated: GatedRecord, series: Series) -> dict[str, Any]:
    """Return what else is known of a series, whatever the metric, by the names of the columns."""
    record, view = gated.file.record, gated.view
    scenario = view.scenarios.get(series.scenario)
    runner = scenario.runners.get(series.runner) if scenario else None
    refused = gated.refused.get(series.key)
    return {
        "packages": view.versions(series) or None,
        "other_packages": view.other_versions(series) or None,
        **series.key._asdict(),
        "block": view.block(series),
        "baseline": _baseline(view, series),
        "family": runner.family if runner else None,
        "status": "failed" if refused else status_of(series),
        "reason": refused or series.reason,
        "note": view.unknown(series),
        "source_sha256": series.source_sha256,
        "is_current": runner is not None and runner.is_current(record.schema_version, series.source_sha256),
        "scenario_is_current": scenario is not None
        and scenario.is_current(record.schema_version, record.scenario_sha256.get(series.scenario)),
    }


def _baseline(view: RecordView, series: Series) -> str | None:
    """Return the runner that a series is compared with, as "case/runner" where its case is another."""
    base = view.baseline(series)
    if base is None:
        return None
    return base.runner if base.case == series.case else f"{base.case}/{base.runner}"


def sample_frame(
    records: Sequence[GatedRecord], scenario: str, measured: Mapping[str, Collection[Measured]] | None = None
) -> pd.DataFrame:
    """Return one row a sample and metric of one scenario, those that failed included (`value` is then NaN).

    Of each file, by its path, only what *measured* names; all where it is None. The reference build's have none: they
    are the samples of another file.
    """
    columns: dict[str, list[Any]] = {name: [] for name in SAMPLE_DTYPES}
    for record in records:
        of_file = _facts_of_file(record)
        for series in record.file.record.series:
            if series.scenario != scenario or series.role == "reference":
                continue
            if measured is None or (scenario, series.case, series.runner) in measured[record.file.path]:
                facts = of_file | _facts(record, series)
                for name, column in _columns_of_samples(record, series, facts).items():
                    columns[name] += column
    return _frame(columns, SAMPLE_DTYPES)


def _columns_of_samples(record: GatedRecord, series: Series, known: dict[str, Any]) -> dict[str, list[Any]]:
    """Return a series' rows of each metric, as columns; *known* is what is known of it, whatever the metric."""
    metrics, samples = record.view.metrics(series), series.samples
    count = len(samples.round)
    facts = {name: fact for name, fact in known.items() if name in SAMPLE_DTYPES}
    values = [record.by_round(series, metric) for metric in metrics]
    of_samples = list(zip(samples.round, samples.status, strict=True))
    return {
        **{name: [fact] * count * len(metrics) for name, fact in facts.items()},
        "round": samples.round * len(metrics),
        "position": samples.position * len(metrics),
        "sample_status": samples.status * len(metrics),
        "sample_reason": samples.reason * len(metrics),
        "metric": [name for metric in metrics for name in [metric.name] * count],
        "unit": [unit for metric in metrics for unit in [metric.unit] * count],
        "value": [
            by_round.get(number) if status == "ok" else None for by_round in values for number, status in of_samples
        ],
    }


def to_frame(rows: Sequence[Summary]) -> pd.DataFrame:
    """Return the rows as a frame, for what is joined, grouped or written."""
    return _frame({name: list(map(attrgetter(name), rows)) for name in SUMMARY_DTYPES}, SUMMARY_DTYPES)


def _frame(columns: Mapping[str, list[Any]], dtypes: Mapping[str, type | str]) -> pd.DataFrame:
    import pandas as pd  # noqa: PLC0415 - it takes a third of a second, which pages do without

    return pd.DataFrame({name: pd.Series(column, dtype=dtypes[name]) for name, column in columns.items()})
