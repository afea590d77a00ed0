"""The sanity gate: finds results that can't be true and leaves them out of the checked records. Pure.

A series with a fault is published as failed, with the reason, and is not compared. Each rule allows for a clock's
granularity and ordinary noise.
"""

import math
from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from msgspec import structs

from generate.data.checked import CheckedRecord, CheckedSeries, Ideals, efficiency_by_round, reduce_series
from generate.data.estimates import RunRounds, pool
from generate.data.files import ResultFile
from generate.data.gate_rules import SLACK, Sample, rules_for
from runners.harness.catalogue.scenarios import Scenario
from runners.harness.contract import Metric
from runners.harness.record.model import Record, Series, SeriesKey

Reduced = Mapping[SeriesKey, CheckedSeries]

FEWEST_MEASURED_IDEALS = 3
"""A measured ideal needs this many rounds to reject a series."""
WITH_GIL = ("cpython", "pypy")


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a series can't be true."""

    key: SeriesKey
    round: int | None
    """None for a fault of the series."""
    rule: str
    message: str
    """The observed and the possible value, in one line."""

    def __str__(self) -> str:
        """Format it as one line."""
        place = "" if self.round is None else f" in round {self.round}"
        return f"{' / '.join(self.key[:3])} ({self.key.role}): {self.rule}{place}: {self.message}"


def check_records(files: Iterable[ResultFile], scenarios: Mapping[str, Scenario]) -> list[CheckedRecord]:
    """Check files and link the records of the same run."""
    return link([check(file, scenarios) for file in files])


def check(file: ResultFile, scenarios: Mapping[str, Scenario]) -> CheckedRecord:
    """Reduce a file's record to the values of the catalogue's *scenarios*, without those that the gate rejects."""
    reduced = reduce_series(file.record, scenarios)
    by_series: dict[SeriesKey, list[Fault]] = defaultdict(list)
    for fault in _find_faults(file.record, reduced, scenarios):
        by_series[fault.key].append(fault)
    series = reduced | {key: reject(reduced[key], own) for key, own in by_series.items()}
    rejected = {key for key in by_series if series[key].rejected}
    if rejected:
        no_ideals = {key for key, each in series.items() if each.baseline in rejected}
        series |= {key: structs.replace(series[key], ideals=Ideals({}, is_fixed=True)) for key in no_ideals}
    return CheckedRecord(replace(file, record=structs.replace(file.record, series=[])), scenarios, series)


def link(records: Iterable[CheckedRecord]) -> list[CheckedRecord]:
    """Return *records*, each with its reference build's and its counterpart."""
    by_path = {record.file.path: record for record in records}
    linked = {
        path: replace(record, reference=by_path.get(record.file.reference_path)) for path, record in by_path.items()
    }
    return [replace(record, counterpart=linked.get(record.file.counterpart_path)) for record in linked.values()]


def faults(record: Record, scenarios: Mapping[str, Scenario]) -> list[Fault]:
    """Return everything impossible in *record*, in the order of its series."""
    return _find_faults(record, reduce_series(record, scenarios), scenarios)


def _find_faults(record: Record, reduced: Reduced, scenarios: Mapping[str, Scenario]) -> list[Fault]:
    known = {series.key: series for series in record.series if series.key in reduced}
    # Older code had other parameters, so its samples can't be judged by today's.
    hashes = {name: scenario.scenario_sha256 for name, scenario in scenarios.items()}
    current = {key for key in known if record.scenario_sha256.get(key.scenario) == hashes[key.scenario]}
    by_series = {
        key: [
            *(_sample_faults(record, series, scenarios[key.scenario]) if key in current else ()),
            *_gil_faults(record, series),
        ]
        for key, series in known.items()
    }
    rejected = {key for key, own in by_series.items() if own}
    for key, series in reduced.items():
        # A rejected baseline is nonsense, which would reject the others.
        if key in current and series.baseline in reduced and series.baseline not in rejected:
            by_series[key] += _ideal_faults(reduced, series, scenarios[key.scenario].metrics[0], rejected)
    return [*chain.from_iterable(by_series.values())]


def reject(series: CheckedSeries, faults: Sequence[Fault]) -> CheckedSeries:
    """Return the series without its values if a fault is its own, or half of its rounds are at fault.

    Otherwise it loses those rounds.
    """
    rounds = {fault.round: fault.message for fault in reversed(faults) if fault.round is not None}
    if any(fault.round is None for fault in faults) or 2 * len(rounds) >= series.statuses.count("ok"):
        return structs.replace(series, rejected=_reason(*faults), values={})
    values = {
        name: array("d", [math.nan if at in rounds else value for at, value in zip(series.rounds, column, strict=True)])
        for name, column in series.values.items()
    }
    return structs.replace(series, rejected_rounds=rounds, values=values)


def _reason(first: Fault, *others: Fault) -> str:
    place = "" if first.round is None else f"round {first.round}: "
    more = f" (and {len(others)} more)" if others else ""
    return f"rejected by the sanity gate: {place}{first.message}{more}"


def _sample_faults(record: Record, series: Series, scenario: Scenario) -> Iterator[Fault]:
    parameters, cores = scenario.cases[series.case].parameters, record.machine.usable_cores
    seen = series.observed
    peak, most = (seen.peak_in_flight, seen.asked_at_once) if seen else (None, None)
    if peak is not None and most is not None and peak > most:
        yield Fault(series.key, None, "peak in flight", f"{peak} ran at once; the limit was {most}")
    if not (rules := rules_for(series.samples.values, cores)):
        return
    for row in series.samples.ok_rows():
        sample = Sample(row.values, parameters, cores)
        for rule, broken in rules:
            if message := broken(sample):
                yield Fault(series.key, row.round, rule, message)


def _gil_faults(record: Record, series: Series) -> Iterator[Fault]:
    on = series.observed.gil_after_run if series.observed else None
    build = record.reference_build if series.role == "reference" else record.build
    if "ok" not in series.samples.status:
        return  # it has failed, and has its reason
    if on is None or build.implementation.lower() not in WITH_GIL or on is build.gil_at_start:
        return
    label = "with the GIL, but it was off" if build.gil_at_start else "without the GIL, but it was on"
    yield Fault(series.key, None, "GIL state", f"{series.runner} ran on a build {label} after the run")


def _ideal_faults(
    reduced: Reduced, series: CheckedSeries, metric: Metric, rejected: Collection[SeriesKey]
) -> Iterator[Fault]:
    """Compare each sample with a fixed ideal, or the series with a measured one.

    A measured ideal can be unlucky in a round in which the runner is lucky. So we use the range over the rounds,
    widened by the control's distance from the baseline, and need three rounds.
    """
    shares = efficiency_by_round(series.ideals.by_round, series.by_round(metric), metric.better)
    beyond: dict[int | None, float] = {number: share for number, share in shares.items() if share > 1 + SLACK}
    if beyond and not series.ideals.is_fixed:
        low = _range([*shares.values()])[0] if len(shares) >= FEWEST_MEASURED_IDEALS else 0.0
        beyond = {None: low} if low > (1 + SLACK) * _control_distance(reduced, series, metric, rejected) else {}
    for number, share in beyond.items():
        yield Fault(series.key, number, "ideal", f"{share - 1:.0%} better than the ideal, which nothing can beat")


def _control_distance(
    reduced: Reduced, series: CheckedSeries, metric: Metric, rejected: Collection[SeriesKey]
) -> float:
    """Return the control's distance from the baseline, a ratio of 1 or more; 1 if unknown or rejected."""
    control = reduced.get(series.baseline._replace(role="control"))
    if control is None or control.key in rejected:
        return 1.0
    low, high = _range(control.ratios(reduced[series.baseline], metric))
    return max(high, 1 / low if low > 0 else math.inf, 1.0)


def _range(values: Sequence[float]) -> tuple[float, float]:
    """Return the range of the median over the rounds of one run; (1, 1) without values."""
    estimate = pool([RunRounds("", values)], 0.0) if values else None
    return (estimate.low, estimate.high) if estimate else (1.0, 1.0)
