"""The sanity gate: finds results that can't be true and leaves them out of the checked records. Pure.

A series with a fault is published as failed, with the reason, and is not compared. Each rule allows for a clock's
granularity and ordinary noise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from itertools import chain
from statistics import fmean
from typing import TYPE_CHECKING, TypeVar

from generate.data.estimates import RunRounds, log_variance, pool
from generate.data.gate_rules import SLACK, Sample, rules_for
from generate.data.record_view import RecordView, efficiency_by_round

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from generate.data.between_runs import Compared
    from generate.data.files import ResultFile
    from generate.data.record_view import ByRound
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.contract import Metric
    from runners.harness.record.model import Record, Series, SeriesKey

T = TypeVar("T")
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
    """What was seen and what would be possible, in one line."""

    def __str__(self) -> str:
        """Format it as one line."""
        place = "" if self.round is None else f" in round {self.round}"
        return f"{' / '.join(self.key[:3])} ({self.key.role}): {self.rule}{place}: {self.message}"


@dataclass(frozen=True, eq=False)
class CheckedRecord:
    """One file, and the parts of it that the gate rejects."""

    file: ResultFile
    view: RecordView
    rejected: Mapping[SeriesKey, str]
    """Series that the gate rejects, with the reason to print."""
    rejected_rounds: Mapping[SeriesKey, Mapping[int, str]]
    """Rounds that the gate rejects in other series, each with its reason."""
    counterpart: CheckedRecord | None = None
    """From the same run: a variant's plain build, or the same Python with the GIL for a free-threaded build."""
    _variances: dict[tuple[str, str, str, Compared], float | None] = field(default_factory=dict, init=False, repr=False)

    @property
    def run(self) -> str:
        """Id of its run."""
        return self.file.record.run.id

    @property
    def is_reference(self) -> bool:
        """True for the reference build of its run."""
        return self.file.record.build == self.file.record.reference_build

    @property
    def why_excluded(self) -> str:
        """Why nothing is decided by this run; empty if it counts."""
        return self.file.why_excluded

    @property
    def order(self) -> tuple[str, str]:
        """Its place among runs by time."""
        return self.file.order

    def is_complete(self, key: SeriesKey) -> bool:
        """True if a series lost no round, to a failure or to the gate."""
        series = self.view.series.get(key)
        return bool(series and is_complete(series) and key not in self.rejected and key not in self.rejected_rounds)

    def by_round(self, series: Series | None, metric: Metric) -> ByRound:
        """Return a metric's values by round; empty if the series is absent or rejected."""
        if series is None or (self.rejected and series.key in self.rejected):
            return {}
        values = self.view.by_round(series, metric)
        rejected = self.rejected_rounds.get(series.key) if self.rejected_rounds else None
        return {number: value for number, value in values.items() if number not in rejected} if rejected else values

    def ideal_by_round(self, series: Series, metric: Metric) -> ByRound:
        """Return the limit of the scenario's first metric; empty for other metrics, and for a rejected baseline."""
        base = self.view.baseline(series)
        if metric is not self.view.metrics(series)[0] or (base is not None and base.key in self.rejected):
            return {}
        return self.view.ideals(series).by_round

    def ratios(
        self, series: Series, other: Series | None, metric: Metric, other_record: CheckedRecord | None = None
    ) -> list[float]:
        """Return series / other for each round that has both; *other* is from this record or from *other_record*.

        Empty if any of these rounds has a baseline of 0 or less: leaving out only that round would bias the result.
        """
        theirs = (other_record or self).by_round(other, metric)
        pairs = [(value, theirs[number]) for number, value in self.by_round(series, metric).items() if number in theirs]
        return [] if any(base <= 0 or value < 0 for value, base in pairs) else [value / base for value, base in pairs]

    def block_variance(self, series: Series, metric: Metric, compared: Compared) -> float | None:
        """Return the variance of rounds on the log scale, averaged over the series of a block; None if unknown."""
        block = self.view.block(series)
        key = (series.scenario, block, metric.name, compared)
        if key not in self._variances:
            alike = [each for each in self.view.in_block(series.scenario, block) if each.role != "reference"]
            variances = (log_variance(self._rounds(each, metric, compared)) for each in alike)
            known = [each for each in variances if each is not None]
            self._variances[key] = fmean(known) if known else None
        return self._variances[key]

    def _rounds(self, series: Series, metric: Metric, compared: Compared) -> Sequence[float]:
        if compared == "value":
            return [*self.by_round(series, metric).values()]
        if compared == "across":
            own = self.view.reference(series)
            return [] if own is series or series.role == "control" else self.ratios(series, own, metric)
        base = self.view.baseline(series)
        return [] if base is series else self.ratios(series, base, metric)


def is_complete(series: Series) -> bool:
    """True if no round of a series failed. A round that timed out was slow, so leaving it out would bias the result.

    Rounds that an interrupted run did not reach don't.
    """
    return {*series.samples.status} <= {"ok", "not_reached"}


def check_records(files: Sequence[ResultFile], scenarios: Mapping[str, Scenario]) -> list[CheckedRecord]:
    """Check the files' records against the catalogue's *scenarios* and the sanity gate."""
    shared: dict[tuple[int, str, str], ByRound] = {}  # the files of a run share the reference build's samples
    checked = {}
    for file in files:
        view = RecordView(file.record, scenarios, shared)
        checked[file.path] = CheckedRecord(file, view, *rejections(view, find_faults(view)))
    with_reference = {path: _with_reference(own, checked.get(own.file.reference_path)) for path, own in checked.items()}
    return [
        replace(record, counterpart=with_reference.get(record.file.counterpart_path))
        for record in with_reference.values()
    ]


def _with_reference(own: CheckedRecord, reference: CheckedRecord | None) -> CheckedRecord:
    """Add the reference build's series in the role `reference`, as in a job that measures two builds into one file."""
    if reference is None or any(key.role == "reference" for key in own.view.series):
        return own

    def taken(by_key: Mapping[SeriesKey, T]) -> dict[SeriesKey, T]:
        return {key._replace(role="reference"): each for key, each in by_key.items() if key.role == "subject"}

    view = own.view.with_reference(reference.file.record.series)
    rejected_rounds = {**own.rejected_rounds, **taken(reference.rejected_rounds)}
    return replace(
        own, view=view, rejected={**own.rejected, **taken(reference.rejected)}, rejected_rounds=rejected_rounds
    )


def faults(record: Record, scenarios: Mapping[str, Scenario]) -> list[Fault]:
    """Return everything impossible in *record*, in the order of its series."""
    return find_faults(RecordView(record, scenarios))


def find_faults(view: RecordView) -> list[Fault]:
    """Return everything impossible in a record."""
    by_series = {
        key: [*_sample_faults(view, series), *_gil_faults(view, series)] for key, series in view.series.items()
    }
    rejected = {key for key, own in by_series.items() if own}
    for key, series in view.series.items():
        base = view.baseline(series)
        if base is not None and base.key not in rejected:  # a limit computed from nonsense would reject the others
            by_series[key] += _ideal_faults(view, series, rejected)
    return [*chain.from_iterable(by_series.values())]


def rejections(
    view: RecordView, faults: Iterable[Fault]
) -> tuple[dict[SeriesKey, str], dict[SeriesKey, dict[int, str]]]:
    """Return the rejected series with the reason to publish, and the rejected rounds of other series.

    A series is rejected for a fault of its own, or if half of its rounds are at fault. Otherwise it loses those rounds.
    """
    by_series: dict[SeriesKey, list[Fault]] = {}
    for fault in faults:
        by_series.setdefault(fault.key, []).append(fault)
    rejected, rounds = {}, {}
    for key, own in by_series.items():
        at_fault = {fault.round: fault.message for fault in reversed(own) if fault.round is not None}
        ok = view.series[key].samples.status.count("ok")
        if any(fault.round is None for fault in own) or 2 * len(at_fault) >= ok:
            rejected[key] = _reason(*own)
        else:
            rounds[key] = at_fault
    return rejected, rounds


def _reason(first: Fault, *others: Fault) -> str:
    place = "" if first.round is None else f"round {first.round}: "
    more = f" (and {len(others)} more)" if others else ""
    return f"rejected by the sanity gate: {place}{first.message}{more}"


def _sample_faults(view: RecordView, series: Series) -> Iterator[Fault]:
    parameters, cores = view.parameters(series), view.record.machine.usable_cores
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


def _gil_faults(view: RecordView, series: Series) -> Iterator[Fault]:
    on = series.observed.gil_after_run if series.observed else None
    build = view.record.reference_build if series.role == "reference" else view.record.build
    if "ok" not in series.samples.status:
        return  # it has failed, and has its reason
    if on is None or build.implementation.lower() not in WITH_GIL or on is build.gil_at_start:
        return
    label = "with the GIL, but it was off" if build.gil_at_start else "without the GIL, but it was on"
    yield Fault(series.key, None, "GIL state", f"{series.runner} ran on a build {label} after the run")


def _ideal_faults(view: RecordView, series: Series, rejected: Collection[SeriesKey]) -> Iterator[Fault]:
    """Compare each sample with a fixed ideal, or the series with a measured one.

    A measured ideal can be unlucky in a round in which the runner is lucky. So we use the range over the rounds,
    widened by the control's distance from the baseline, and need three rounds.
    """
    ideals, metric = view.ideals(series), view.metrics(series)[0]
    shares = efficiency_by_round(ideals.by_round, view.by_round(series, metric), metric.better)
    beyond: dict[int | None, float] = {number: share for number, share in shares.items() if share > 1 + SLACK}
    if beyond and not ideals.is_fixed:
        low = _range([*shares.values()])[0] if len(shares) >= FEWEST_MEASURED_IDEALS else 0.0
        beyond = {None: low} if low > (1 + SLACK) * _control_distance(view, series, metric, rejected) else {}
    for number, share in beyond.items():
        yield Fault(series.key, number, "ideal", f"{share - 1:.0%} better than the ideal, which nothing can beat")


def _control_distance(view: RecordView, series: Series, metric: Metric, rejected: Collection[SeriesKey]) -> float:
    """Return the control's distance from the baseline, a ratio of 1 or more; 1 if unknown or rejected."""
    control, base = view.control(series), view.baseline(series)
    if control is None or base is None or control.key in rejected:
        return 1.0
    own, theirs = view.by_round(control, metric), view.by_round(base, metric)
    ratios = [own[number] / theirs[number] for number in own.keys() & theirs.keys() if theirs[number] > 0]
    low, high = _range(ratios)
    return max(high, 1 / low if low > 0 else math.inf, 1.0)


def _range(values: Sequence[float]) -> tuple[float, float]:
    """Return the range of the median over the rounds of one run; (1, 1) without values."""
    estimate = pool([RunRounds("", values)], 0.0) if values else None
    return (estimate.low, estimate.high) if estimate else (1.0, 1.0)
