"""The sanity gate: finds results that can't be true. Pure.

A series with a fault is published as failed, with the reason, and takes no part in comparisons. Each rule has room for
what a clock's granularity and ordinary noise do, and no more.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from generate.statistics import median_interval
from generate.values import Key, View, efficiency_by_round, key_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from runners.harness.catalogue import Scenario
    from runners.harness.contract import Parameters
    from runners.harness.record import Cell, Record, Role, Series

SLACK = 0.05
"""Share by which a limit may be passed: clocks, and the noise between a sample and its ideal."""
CPU_GRANULARITY_US = 10_000
"""Some systems count processor time in ticks of a hundredth of a second."""
LOAD_SHARE = 0.6
"""Above this share of a core the load generator may be what is measured, not the server."""
FEWEST_MEASURED_IDEALS = 3
"""Rounds without which an ideal that is itself measured accuses nobody."""
WITH_GIL = ("cpython", "pypy")


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a series can't be true."""

    scenario: str
    """Scenario of the series."""
    case: str
    """Case of the series."""
    runner: str
    """Runner of the series."""
    role: Role
    """Role of the series."""
    round: int | None
    """Round of the sample; null where the whole series is at fault."""
    rule: str
    """Name of the rule that it breaks."""
    message: str
    """What was seen and what would be possible, in one line."""

    def __str__(self) -> str:
        """Tell it in one line."""
        where = "" if self.round is None else f" in round {self.round}"
        return f"{self.scenario} / {self.case} / {self.runner} ({self.role}): {self.rule}{where}: {self.message}"


@dataclass(frozen=True, slots=True)
class _Sample:
    """One sample that is ok, with all that a rule looks at."""

    columns: Mapping[str, Cell]
    parameters: Parameters
    cores: int

    def number(self, name: str) -> float | None:
        cell = self.columns.get(name)
        return None if isinstance(cell, list) else cell

    def latencies_us(self) -> list[float] | None:
        steps = self.columns.get("latency_steps_us")
        return list(accumulate(steps)) if isinstance(steps, list) else None


def faults(record: Record, scenarios: Mapping[str, Scenario]) -> list[Fault]:
    """Return all that is impossible in *record*, in the order of its series. The *scenarios* are the catalogue's."""
    return faults_of(View(record, scenarios))


def faults_of(view: View) -> list[Fault]:
    """Return all that is impossible in a record that is being looked at already."""
    by_series = {key_of(series): [*_of_samples(view, series), *_of_gil(view, series)] for series in view.record.series}
    refused = {key for key, found in by_series.items() if found}
    for series in view.record.series:
        base = view.baseline(series)
        if base is not None and key_of(base) not in refused:  # a limit reckoned from nonsense would accuse the others
            by_series[key_of(series)] += _of_ideal(view, series)
    return [fault for found in by_series.values() for fault in found]


def refusals(found: list[Fault]) -> dict[Key, str]:
    """Return by series the reason that is published: its first fault, and how many more there are."""
    reasons: dict[Key, list[Fault]] = {}
    for fault in found:
        key = Key(fault.scenario, fault.case, fault.runner, fault.role)
        reasons.setdefault(key, []).append(fault)
    return {key: _reason(of_one) for key, of_one in reasons.items()}


def _reason(found: list[Fault]) -> str:
    first = found[0]
    where = "" if first.round is None else f"round {first.round}: "
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return f"refused by the sanity gate: {where}{first.message}{more}"


def _of_samples(view: View, series: Series) -> Iterator[Fault]:
    samples, parameters, cores = series.samples, view.parameters(series), view.record.machine.usable_cores
    if message := _peak(series):
        yield Fault(*key_of(series), None, "peak in flight", message)
    if not (rules := _rules_for(samples.values, cores)):
        return
    rows = zip(samples.round, samples.status, zip(*samples.values.values(), strict=True), strict=True)
    for number, status, row in rows:
        sample = _Sample(dict(zip(samples.values, row, strict=True)), parameters, cores)
        for rule, broken in rules if status == "ok" else ():
            if message := broken(sample):
                yield Fault(*key_of(series), number, rule, message)


def _rules_for(values: Mapping[str, list[Cell]], cores: int) -> list[tuple[str, Callable[[_Sample], str | None]]]:
    """Return the rules that have a column to look at. Two extremes clear nearly every series of the commonest two."""
    rules = {rule: broken for rule, (needed, broken) in SAMPLE_RULES.items() if needed in values}
    elapsed_ns, cpu_us = (
        [cell for cell in values.get(name, ()) if isinstance(cell, int | float)] for name in ("elapsed_ns", "cpu_us")
    )
    if elapsed_ns and cpu_us and min(elapsed_ns) > 0 and max(cpu_us) <= _most_cpu_us(min(elapsed_ns), cores):
        del rules["clock"], rules["processor time"]
    return list(rules.items())


def _clock(sample: _Sample) -> str | None:
    elapsed_ns = sample.number("elapsed_ns")
    return f"it took {elapsed_ns:g} ns" if elapsed_ns is not None and elapsed_ns <= 0 else None


def _completed(sample: _Sample) -> str | None:
    requested, completed = sample.parameters.get("requests"), sample.number("completed_count")
    if requested is None or completed is None:
        return None
    ended = completed + (sample.number("failed_count") or 0)
    return None if ended == requested else f"{ended:g} requests ended of {requested} that were made"


def _order(sample: _Sample) -> str | None:
    """Latencies are stored as steps upwards; with one downwards no percentile and no mean can be in order."""
    steps = sample.columns.get("latency_steps_us")
    if not isinstance(steps, list) or not steps or min(steps) >= 0:
        return None
    return f"latencies that fall by {-min(steps):g} us where they are in ascending order"


def _littles_law(sample: _Sample) -> str | None:
    latencies_us, elapsed_ns = sample.latencies_us(), sample.number("elapsed_ns")
    completed, at_once = sample.number("completed_count"), sample.parameters.get("at_once")
    if not latencies_us or not elapsed_ns or completed is None:
        return None
    in_flight = sum(latencies_us) * 1e3 / elapsed_ns
    by_law = completed / elapsed_ns * (sum(latencies_us) / len(latencies_us)) * 1e3
    if abs(in_flight - by_law) > SLACK * in_flight:
        return f"{in_flight:.3g} in flight on average, but throughput times mean latency is {by_law:.3g}"
    # In an open loop a latency counts from when the request fell due, so requests queue beyond the slots.
    if at_once is not None and "rate_per_s" not in sample.parameters and in_flight > float(at_once) * (1 + SLACK):
        return f"{in_flight:.3g} in flight on average where at most {at_once} were made at once"
    return None


def _cpu(sample: _Sample) -> str | None:
    cpu_us, elapsed_ns = sample.number("cpu_us"), sample.number("elapsed_ns")
    if cpu_us is None or elapsed_ns is None or cpu_us <= _most_cpu_us(elapsed_ns, sample.cores):
        return None
    return f"{cpu_us / 1e6:.3g} s of processor time in {elapsed_ns / 1e9:.3g} s on {sample.cores} cores"


def _most_cpu_us(elapsed_ns: float, cores: int) -> float:
    return elapsed_ns / 1e3 * cores * (1 + SLACK) + CPU_GRANULARITY_US


def _load_share(sample: _Sample) -> str | None:
    cpu_ns, elapsed_ns = sample.number("load_cpu_ns"), sample.number("elapsed_ns")
    if cpu_ns is None or not elapsed_ns or cpu_ns < LOAD_SHARE * elapsed_ns:
        return None
    return f"the load generator used {cpu_ns / elapsed_ns:.0%} of a core; its limit is {LOAD_SHARE:.0%}"


def _load_peak(sample: _Sample) -> str | None:
    """Judge the load: a closed loop fills all its slots at its start, unless connections are refused at once."""
    peak, asked = sample.number("load_peak_in_flight_count"), sample.parameters.get("at_once")
    if peak is None or asked is None:
        return None
    if peak > float(asked):
        return f"{peak:g} requests were in flight where at most {asked} were asked for"
    full = "rate_per_s" not in sample.parameters and not sample.number("failed_count")
    expected = min(float(asked), float(sample.parameters.get("requests", asked)))
    return (
        f"at most {peak:g} requests were in flight, not the {expected:g} asked for"
        if full and peak < expected
        else None
    )


SAMPLE_RULES: Mapping[str, tuple[str, Callable[[_Sample], str | None]]] = {
    "clock": ("elapsed_ns", _clock),
    "completed is requested": ("completed_count", _completed),
    "percentiles in order": ("latency_steps_us", _order),
    "Little's law": ("latency_steps_us", _littles_law),
    "processor time": ("cpu_us", _cpu),
    "load generator": ("load_cpu_ns", _load_share),
    "load in flight": ("load_peak_in_flight_count", _load_peak),
}
"""By name: the raw column without which a rule has nothing to look at, and what says what is impossible in a sample."""


def _peak(series: Series) -> str | None:
    observed = series.observed
    if observed is None or observed.peak_in_flight is None or observed.asked_at_once is None:
        return None
    if observed.peak_in_flight <= observed.asked_at_once:
        return None
    return f"{observed.peak_in_flight} ran at once where at most {observed.asked_at_once} were asked for"


def _of_gil(view: View, series: Series) -> Iterator[Fault]:
    on, build = series.observed.gil_after_run if series.observed else None, view.build_of(series)
    if on is None or build.implementation.lower() not in WITH_GIL or on is not build.free_threaded:
        return
    label = "without the GIL, but it was on" if build.free_threaded else "with the GIL, but it was off"
    yield Fault(*key_of(series), None, "GIL state", f"{series.runner} ran on a build {label} after the run")


def _of_ideal(view: View, series: Series) -> Iterator[Fault]:
    """Hold each sample to an ideal that is fixed, and the series to one that is itself measured.

    There, one round can be unlucky for the ideal and lucky for the runner: what counts is the whole interval of the
    median, and fewer than three rounds tell nothing.
    """
    ideals, metric = view.ideals(series), next(iter(view.metrics(series)), None)
    if not ideals.by_round or metric is None:
        return
    shares = efficiency_by_round(ideals.by_round, view.by_round(series, metric), metric.better)
    beyond: dict[int | None, float] = {number: share for number, share in shares.items() if share > 1 + SLACK}
    if not ideals.is_fixed:
        low = median_interval([*shares.values()]).low if len(shares) >= FEWEST_MEASURED_IDEALS else 0.0
        beyond = {None: low} if low > 1 + SLACK else {}
    for number, share in beyond.items():
        message = f"{share - 1:.0%} better than the ideal, which nothing can beat"
        yield Fault(*key_of(series), number, "ideal", message)
