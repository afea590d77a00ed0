"""The two tables behind pages, charts and downloads. Each column is described once."""

import functools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple, get_type_hints

import msgspec

from generate.data.checked import CheckedRecord, CheckedSeries, efficiency_by_round
from generate.data.estimates import AS_FAST, Estimate
from generate.data.schema import field_texts
from generate.data.selection import Result
from runners.harness.catalogue.scenarios import Scenario
from runners.harness.contract import Metric
from runners.harness.record.build_names import build_name
from runners.harness.record.model import SeriesKey


class Summary(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One series and metric on a machine and build, over all pooled runs."""

    cell: str
    """Machine and build, as in addresses."""
    machine: str
    """Label of the machine: with `processor` and `cores` it names one machine."""
    processor: str
    """Model of the processor."""
    cores: int
    """Usable cores."""
    build: str
    """The interpreter that was measured."""
    python: str
    """Its version."""
    free_threaded: bool
    """True if it was built to run without the GIL."""
    jit: bool | None
    """True if its just-in-time compiler was on; empty if unknown."""
    packages: str | None
    """Versions of the packages that the runner needs, and of their dependencies; empty if it needs none."""
    other_packages: str | None
    """Packages whose versions differ on the reference build: "tornado 6.5.10, not 6.6.1"."""
    run_ids: str
    """The pooled runs, newest first, separated by spaces."""
    started: str
    """When the newest of them began, in UTC."""
    scenario: str
    """The question."""
    block: str
    """The block that was measured back to back. Its series may be compared."""
    case: str
    """The parameters of the scenario."""
    runner: str
    """The measured file."""
    baseline: str | None
    """The runner that its ratio is to, as case/runner if in another case. Names of cases may hold slashes: the runner
    follows the last one. Empty if the record lacks it."""
    family: str | None
    """Its kind: one of the catalogue's families."""
    role: str
    """subject, or control: the baseline measured a second time."""
    metric: str
    """Name of the metric."""
    title: str
    """Title of the metric."""
    unit: str
    """Unit of the values. Ratios and efficiency have none."""
    better: str
    """lower, higher or neither."""
    status: str
    """ok if a run has every round, partial if no run has, or why there is no value: unsupported, failed, timed_out or
    not_reached."""
    reason: str | None
    """Reason of a status other than ok."""
    note: str | None
    """Caveats: rounds that the sanity gate rejected, a run that failed."""
    source_sha256: str
    """Hash of the runner's file as measured."""
    local: bool
    """True if measured on your own machine and not published."""
    is_current: bool
    """True if the runner's file has not changed since."""
    scenario_is_current: bool
    """True if the scenario's files have not changed since."""
    value: Estimate | None
    """In `unit`."""
    ratio: Estimate | None
    """Its value over that of its block's baseline. Below 1 is less; for a time, pages print the reciprocal as "times as
    fast". For the control: the baseline over itself."""
    reference_build: str
    """The build that was measured in turn with it; reference_ratio is to this."""
    reference_ratio: Estimate | None
    """Its value over that of the same series on the reference build, in the direction of ratio; 1 on that build."""
    gil_ratio: Estimate | None
    """Its value without the GIL over that of the same series on the same Python with it; for a variant, over the plain
    build. Both are from the same runs."""
    ideal: float | None
    """The limit of the scenario's first metric that no runner can beat, in `unit`: median over the rounds."""
    efficiency: float | None
    """How close the series comes to the limit, which is 1: median over the rounds of ideal / value, or of value / ideal
    if higher is better."""

    @property
    def runs(self) -> int:
        return len(self.value.runs) if self.value else 0

    @property
    def rounds(self) -> int:
        return self.value.rounds if self.value else 0

    @property
    def number(self) -> float | None:
        """The estimate without its range, in the unit."""
        return self.value.value if self.value else None

    @property
    def is_compared(self) -> bool:
        """True if it has a baseline other than itself."""
        return self.ratio is not None and bool(self.ratio.runs)


class Column(NamedTuple):
    kind: Any
    """Type of its values."""
    about: str


ESTIMATES = {"value": "", "ratio": "ratio", "reference_ratio": "reference_ratio", "gil_ratio": "gil_ratio"}
"""Prefixes of the column names of a summary's estimates."""
ESTIMATE_COLUMNS = {
    "": Column(float | None, "The {what}: its long-run value over all runs."),
    "low": Column(float | None, "Lower end of its 95 % range; empty if one round leaves it unknown."),
    "high": Column(float | None, "Upper end."),
    "another_low": Column(float | None, "Lower end of the range of one further run."),
    "another_high": Column(float | None, "Upper end."),
    "runs": Column(int, "Number of runs in it."),
    "rounds": Column(int, "Number of rounds in these runs."),
    "decides": Column(bool, "False if it decides nothing: every run lacks a round or was disturbed."),
}


@functools.cache
def summary_columns() -> Mapping[str, Column]:
    """Return the public columns of the summaries in order. An estimate has several."""
    texts, columns = field_texts(Path(__file__))[Summary.__name__], {}
    for name, kind in get_type_hints(Summary).items():
        if name in ESTIMATES:
            for end, (end_kind, about) in ESTIMATE_COLUMNS.items():
                column = "_".join(filter(None, (ESTIMATES[name], end))) or "estimate"
                about_first = "" if end else f" {texts[name]}"
                columns[column] = Column(end_kind, about.format(what=name.rpartition("_")[2]) + about_first)
        else:
            columns[name] = Column(kind, texts[name])
    return columns


@functools.cache
def sample_columns() -> Mapping[str, Column]:
    shared = summary_columns()
    return {
        "path": Column(str, "Path of the result file, below data/raw/."),
        **{name: shared[name] for name in ("cell", "machine", "processor", "build", "python", "free_threaded", "jit")},
        "packages": shared["packages"],
        "run_id": Column(str, "The run that measured it."),
        **{name: shared[name] for name in ("scenario", "block", "case", "runner", "baseline", "role", "status")},
        "reason": shared["reason"],
        "round": Column(int, "Number of the round, from 1."),
        "position": Column(int, "Its position in the block, from 0, in order of measurement."),
        "sample_status": Column(
            str, "ok, unsupported, failed, timed_out or not_reached; failed if the sanity gate rejects it."
        ),
        "sample_reason": Column(str | None, "Reason of a status other than ok."),
        "metric": shared["metric"],
        "unit": shared["unit"],
        "value": Column(float | None, "Value of the metric, in `unit`; empty without one."),
    }


PER_ROUND = ("round", "position", "sample_status", "sample_reason", "value")
"""The columns of the samples that differ between the rounds of a series."""


def summarise(result: Result, scenario: str) -> Iterator[Summary]:
    """Yield a row per series and metric of a scenario, in the order of the newest run's series.

    A series that the sanity gate rejects has the status `failed` and the gate's reason.
    """
    keys = dict.fromkeys(
        key
        for run in sorted(result.runs, key=lambda run: run is not result.newest)
        for key in run.series
        if key.scenario == scenario and key.role != "reference"
    )
    result_facts = _result_facts(result)
    for key in keys:
        runs = result.runs_with(key)
        facts = {
            **result_facts,
            **_series_facts(runs, key),
            "other_packages": _first(runs, key).other_versions(key) or None,
            "note": "; ".join(_notes(result, runs, key)) or None,
            "run_ids": " ".join(run.run for run in runs),
            "started": runs[0].file.record.run.started,
        }
        for metric in runs[0].metrics(key):
            yield Summary(**facts, **_numbers(result, runs, key, metric))


def _numbers(result: Result, runs: Sequence[CheckedRecord], key: SeriesKey, metric: Metric) -> dict[str, Any]:
    ideals: list[float] = []
    shares: list[float] = []
    for series in (run.series[key] for run in runs if metric is run.metrics(key)[0]):
        if ideal := series.ideals.by_round:
            values = series.by_round(metric)
            ideals += [ideal[number] for number in ideal.keys() & values.keys()]
            shares += efficiency_by_round(ideal, values, metric.better).values()
    return {
        "metric": metric.name,
        "title": metric.title,
        "unit": metric.unit,
        "better": metric.better,
        "value": result.estimate(key, metric),
        "ratio": result.against_baseline(key, metric),
        "reference_ratio": result.against_reference(key, metric),
        "gil_ratio": result.against_counterpart(key, metric),
        "ideal": median(ideals) if ideals else None,
        "efficiency": median(shares) if shares else None,
    }


def _result_facts(result: Result) -> dict[str, Any]:
    build = result.record.build
    return {
        "cell": result.key.key,
        "machine": result.machine,
        "processor": result.machine_key.processor,
        "cores": result.machine_key.cores,
        "build": result.build,
        "reference_build": build_name(result.record.reference_build),
        "python": build.version,
        "free_threaded": build.free_threaded,
        "jit": build.jit,
        "local": result.key.local,
    }


def _series_facts(runs: Sequence[CheckedRecord], key: SeriesKey) -> dict[str, Any]:
    """Return the columns of a series that are the same for each metric."""
    first = _first(runs, key)
    series, scenario = first.series[key], first.scenarios[key.scenario]
    runner, base = scenario.runners[key.runner], first.find(series.baseline)
    status = "ok" if series.is_complete and series.status == "partial" else series.status
    return {
        "packages": series.versions or None,
        **key._asdict(),
        "block": series.block,
        "baseline": base and (base.key.runner if base.key.case == key.case else f"{base.key.case}/{base.key.runner}"),
        "family": runner.family,
        "status": "failed" if series.rejected else status,
        "reason": series.rejected or series.reason,
        "source_sha256": series.source_sha256,
        "is_current": runner.source_sha256 == series.source_sha256,
        "scenario_is_current": scenario.scenario_sha256 == first.file.record.scenario_sha256.get(key.scenario),
    }


def _first(runs: Sequence[CheckedRecord], key: SeriesKey) -> CheckedRecord:
    """Return the newest of *runs* that measured a series best."""
    return min(runs, key=lambda run: (not run.series[key].has_samples, not run.series[key].is_complete))


def _notes(result: Result, runs: Sequence[CheckedRecord], key: SeriesKey) -> Iterator[str]:
    every = [run.series[key] for run in result.runs if key in run.series]
    measured = [series for series in every if series.code == runs[0].series[key].code]
    failed = [series for series in measured if not series.is_complete]
    rejected = [reason for run in runs for reason in run.series[key].rejected_rounds.values()]
    if 0 < len(failed) < len(measured):
        why = failed[0].rejected or failed[0].reason or next(iter(rejected), "")
        yield f"left out {len(failed)} run{'s' * (len(failed) > 1)} of {len(measured)}: {why}"
    elif rejected:
        yield f"the sanity gate rejected {len(rejected)} round{'s' * (len(rejected) > 1)}: {rejected[0]}"
    metric = runs[0].metrics(key)[0]
    value, ratio = result.estimate(key, metric), result.against_baseline(key, metric)
    if value and ratio and ratio.is_partial and not value.is_partial:
        yield "no ratio is decided: the baseline lacks a round in every run"


def other_packages(result: Result, rows: Iterable[Summary]) -> str:
    """Format the packages of *rows* whose version differs from the reference build's; empty for a variant.

    A ratio to that build then includes the packages' effect. A variant's own name shows what differs.
    """
    named = (row.other_packages.split("; ") for row in rows if row.other_packages and not result.record.build.variant)
    return "; ".join(sorted({name for names in named for name in names}))


def sample_rows(results: Iterable[Result], scenario: str) -> Iterator[dict[str, Any]]:
    """Yield a row per run, series and metric of one scenario, with a list over the rounds for each column in PER_ROUND.

    Failed samples are included without a value. The reference build's series are left out, as they belong to another
    file.
    """
    names = sample_columns().keys()
    for result in results:
        result_facts = _result_facts(result)
        for run in result.runs:
            for key, series in run.series.items():
                if key.scenario == scenario and key.role != "reference":
                    facts = result_facts | _series_facts([run], key) | {"path": run.file.path, "run_id": run.run}
                    facts = {name: fact for name, fact in facts.items() if name in names} | _by_round(series)
                    for metric in run.metrics(key):
                        value = series.values.get(metric.name, _none(len(series.rounds)))
                        yield facts | {"metric": metric.name, "unit": metric.unit, "value": value}


def _by_round(series: CheckedSeries) -> dict[str, Sequence[object]]:
    reasons: Sequence[str | None] = series.reasons
    statuses: Sequence[str] = series.statuses
    if series.rejected or series.rejected_rounds:
        gate = [series.rejected or series.rejected_rounds.get(number) for number in series.rounds]
        statuses = ["failed" if why else status for why, status in zip(gate, statuses, strict=True)]
        reasons = [why or own for why, own in zip(gate, reasons, strict=True)]
    columns = (series.rounds, series.positions, statuses, reasons)
    return dict(zip(PER_ROUND, columns, strict=False))


@functools.cache
def _none(count: int) -> Sequence[float]:
    return (math.nan,) * count


def summary_row(summary: Summary) -> dict[str, Any]:
    values = (value for name in Summary.__struct_fields__ for value in _values(summary, name))
    return dict(zip(summary_columns(), values, strict=True))


def _values(summary: Summary, name: str) -> Iterable[object]:
    """Return a field's columns; an unknown range is empty."""
    if name not in ESTIMATES:
        return (getattr(summary, name),)
    estimate: Estimate | None = getattr(summary, name)
    if estimate is None:
        return (*[None] * 5, 0, 0, False)
    ends = (estimate.low, estimate.high, estimate.another_low, estimate.another_high)
    known = ends if estimate.has_range else [None] * len(ends)
    return (estimate.value, *known, len(estimate.runs), estimate.rounds, estimate.may_decide)


def best_runners(result: Result, scenario: Scenario, metric: Metric, rows: Sequence[Summary]) -> set[str]:
    """Return the first of the sorted *rows*, and those as fast by their pairs of rounds.

    Empty if the runners are not alternatives. Runners that do something else than the others never count.
    """
    choices = [row for row in rows if row.runner not in scenario.apart]
    if not scenario.are_choices or metric.better == "neither" or len(choices) < 2:  # noqa: PLR2004 - one is no choice
        return set()
    best, *others = map(_key, choices)
    ratios = {key.runner: result.ratio(key, best, metric) for key in others}
    return {best.runner, *(name for name, ratio in ratios.items() if ratio and ratio.is_within(AS_FAST))}


def _key(row: Summary) -> SeriesKey:
    return SeriesKey(row.scenario, row.case, row.runner, "subject")
