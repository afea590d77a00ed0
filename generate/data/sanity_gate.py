"""The sanity gate: finds results that can't be true. Pure.

A series with a fault is published as failed, with the reason, and takes no part in comparisons. Each rule has room for
what a clock's granularity and ordinary noise do, and no more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from generate.data.estimates import RunRounds, pool
from generate.data.ideals import efficiency_by_round
from generate.data.record_view import RecordView
from generate.data.sanity_rules import SLACK, Sample, rules_for

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.contract import Metric
    from runners.harness.record.model import Record, Series, SeriesKey

FEWEST_MEASURED_IDEALS = 3
"""Rounds without which an ideal that is itself measured accuses nobody."""
WITH_GIL = ("cpython", "pypy")


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a series can't be true."""

    key: SeriesKey
    round: int | None
    """Round of the sample; null where the whole series is at fault."""
    rule: str
    """Name of the rule that it breaks."""
    message: str
    """What was seen and what would be possible, in one line."""

    def __str__(self) -> str:
        """Say it in one line."""
        where = "" if self.round is None else f" in round {self.round}"
        return f"{' / '.join(self.key[:3])} ({self.key.role}): {self.rule}{where}: {self.message}"


def faults(record: Record, scenarios: Mapping[str, Scenario]) -> list[Fault]:
    """Return all that is impossible in *record*, in the order of its series. The *scenarios* are the catalogue's."""
    return find_faults(RecordView(record, scenarios))


def find_faults(view: RecordView) -> list[Fault]:
    """Return all that is impossible in a record that has a view already."""
    by_series = {key: [*_of_samples(view, series), *_of_gil(view, series)] for key, series in view.series.items()}
    rejected = {key for key, of_series in by_series.items() if of_series}
    for key, series in view.series.items():
        base = view.baseline(series)
        if base is not None and base.key not in rejected:  # a limit computed from nonsense would accuse the others
            by_series[key] += _of_ideal(view, series, rejected)
    return [*chain.from_iterable(by_series.values())]


def rejections(
    view: RecordView, faults: Iterable[Fault]
) -> tuple[dict[SeriesKey, str], dict[SeriesKey, dict[int, str]]]:
    """Return the series that are rejected, each with the reason that is published, and the rounds of others.

    A series falls with a fault of its own, or if half of its rounds are at fault; else it loses those rounds.
    """
    by_series: dict[SeriesKey, list[Fault]] = {}
    for fault in faults:
        by_series.setdefault(fault.key, []).append(fault)
    rejected, rounds = {}, {}
    for key, of_series in by_series.items():
        at_fault = {fault.round: fault.message for fault in reversed(of_series) if fault.round is not None}
        ok = view.series[key].samples.status.count("ok")
        if len(at_fault) < len({fault.round for fault in of_series}) or 2 * len(at_fault) >= ok:
            rejected[key] = _reason(*of_series)
        else:
            rounds[key] = at_fault
    return rejected, rounds


def _reason(first: Fault, *others: Fault) -> str:
    where = "" if first.round is None else f"round {first.round}: "
    more = f" (and {len(others)} more)" if others else ""
    return f"rejected by the sanity gate: {where}{first.message}{more}"


def _of_samples(view: RecordView, series: Series) -> Iterator[Fault]:
    parameters, cores = view.parameters(series), view.record.machine.usable_cores
    if message := _peak(series):
        yield Fault(series.key, None, "peak in flight", message)
    if not (rules := rules_for(series.samples.values, cores)):
        return
    for row in series.samples.ok_rows():
        sample = Sample(row.values, parameters, cores)
        for rule, broken in rules:
            if message := broken(sample):
                yield Fault(series.key, row.round, rule, message)


def _peak(series: Series) -> str | None:
    observed = series.observed
    if observed is None or observed.peak_in_flight is None or observed.asked_at_once is None:
        return None
    if observed.peak_in_flight <= observed.asked_at_once:
        return None
    return f"{observed.peak_in_flight} ran at once where at most {observed.asked_at_once} were asked for"


def _of_gil(view: RecordView, series: Series) -> Iterator[Fault]:
    on, build = series.observed.gil_after_run if series.observed else None, view.build_of(series)
    if "ok" not in series.samples.status:
        return  # it is failed already, and says why
    if on is None or build.implementation.lower() not in WITH_GIL or on is build.gil_at_start:
        return
    label = "with the GIL, but it was off" if build.gil_at_start else "without the GIL, but it was on"
    yield Fault(series.key, None, "GIL state", f"{series.runner} ran on a build {label} after the run")


def _of_ideal(view: RecordView, series: Series, rejected: Collection[SeriesKey]) -> Iterator[Fault]:
    """Hold each sample to an ideal that is fixed, and the series to one that is itself measured.

    There, one round can be unlucky for the ideal and lucky for the runner: what counts is the range over the rounds,
    widened by how far the ideal's own work lies from itself, and fewer than three rounds decide nothing.
    """
    ideals, metric = view.ideals(series), next(iter(view.metrics(series)), None)
    if not ideals.by_round or metric is None:
        return
    shares = efficiency_by_round(ideals.by_round, view.by_round(series, metric), metric.better)
    beyond: dict[int | None, float] = {number: share for number, share in shares.items() if share > 1 + SLACK}
    if not ideals.is_fixed:
        low = _range([*shares.values()])[0] if len(shares) >= FEWEST_MEASURED_IDEALS else 0.0
        beyond = {None: low} if low > (1 + SLACK) * _control_distance(view, series, metric, rejected) else {}
    for number, share in beyond.items():
        message = f"{share - 1:.0%} better than the ideal, which nothing can beat"
        yield Fault(series.key, number, "ideal", message)


def _control_distance(view: RecordView, series: Series, metric: Metric, rejected: Collection[SeriesKey]) -> float:
    """Return how far the work that a measured ideal comes from lay from itself: a ratio from 1 up, 1 if unknown.

    A control that is itself rejected excuses nobody.
    """
    control, base = view.control(series), view.baseline(series)
    if control is None or base is None or control.key in rejected:
        return 1.0
    own, theirs = view.by_round(control, metric), view.by_round(base, metric)
    ratios = [own[number] / theirs[number] for number in own.keys() & theirs.keys() if theirs[number] > 0]
    low, high = _range(ratios)
    return max(high, 1 / low if low > 0 else math.inf, 1.0)


def _range(values: Sequence[float]) -> tuple[float, float]:
    """Return the range of the median over the rounds of one run; of values without one, the widest."""
    estimate = pool([RunRounds("", values)], 0.0) if values else None
    return (estimate.low, estimate.high) if estimate else (1.0, 1.0)
