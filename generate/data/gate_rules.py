"""The sanity gate's rules for a single sample. Each returns what is impossible, if anything. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

from generate.data.files import NO_BREAK
from runners.harness.http_load.schedule import Load, broken_schedule

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from runners.harness.contract import Parameters
    from runners.harness.record.model import Value

    Rule = Callable[["Sample"], str | None]

SLACK = 0.05
"""Tolerance of a limit, as a share, for clocks and for noise between a sample and its ideal."""
CPU_GRANULARITY_US = 16_000
"""Some systems count processor time in ticks of 1/100 s, or 1/64 s on Windows."""
LOAD_SHARE = 0.6
"""Above this share of a core we may be measuring the load generator instead of the server."""
BUSY_LOAD_SHARE = 0.95
"""The same for a server that computed all the time, so that the load waited for it."""
BUSY = 0.95
"""From this share of a core a server computed all the time."""


@dataclass(frozen=True)
class Sample:
    """One ok sample, with everything a rule needs."""

    columns: Mapping[str, Value]
    parameters: Parameters
    cores: int

    def number(self, name: str) -> float | None:
        """Return a column that is a number."""
        value = self.columns.get(name)
        return None if isinstance(value, list) else value

    @cached_property
    def latencies_us(self) -> list[float] | None:
        """The latencies of the requests, in ascending order."""
        steps = self.columns.get("latency_steps_us")
        return list(accumulate(steps)) if isinstance(steps, list) else None

    @property
    def is_open_loop(self) -> bool:
        """True if requests are due at a fixed rate, whatever the server does."""
        return "rate_per_s" in self.parameters


def rules_for(values: Mapping[str, list[Value]], cores: int) -> list[tuple[str, Rule]]:
    """Return the rules with a column to check. Two extremes clear nearly every series of the commonest two."""
    rules = {name: rule for name, (needed, rule) in SAMPLE_RULES.items() if needed in values}
    elapsed_ns, cpu_us = (
        [value for value in values.get(name, ()) if isinstance(value, int | float)] for name in ("elapsed_ns", "cpu_us")
    )
    if elapsed_ns and cpu_us and min(elapsed_ns) > 0 and max(cpu_us) <= _most_cpu_us(min(elapsed_ns), cores):
        del rules["clock"], rules["processor time"]
    return list(rules.items())


def _clock(sample: Sample) -> str | None:
    elapsed_ns = sample.number("elapsed_ns")
    return f"it took {elapsed_ns:g} ns" if elapsed_ns is not None and elapsed_ns <= 0 else None


def _completed(sample: Sample) -> str | None:
    requested, completed = sample.parameters.get("requests"), sample.number("completed_count")
    if requested is None or completed is None:
        return None
    ended = completed + (sample.number("failed_count") or 0)
    return None if ended == requested else f"{ended:g} requests ended of {requested}"


def _order(sample: Sample) -> str | None:
    """Check that latencies, stored as ascending steps, never fall: no percentile or mean would be right."""
    steps = sample.columns.get("latency_steps_us")
    if not isinstance(steps, list) or not steps or min(steps) >= 0:
        return None
    return f"latencies in ascending order fall by {-min(steps):g} us"


def _mean(sample: Sample) -> str | None:
    """Compare the mean latency, whose sum is stored separately, with the shortest and the longest."""
    latencies_us, total_us = sample.latencies_us, sample.number("latency_all_us")
    if not latencies_us or total_us is None:
        return None
    mean_us, least_us, most_us = total_us / len(latencies_us), min(latencies_us), max(latencies_us)
    if least_us <= mean_us <= most_us:
        return None
    return f"a mean latency of {mean_us:g} us, of latencies from {least_us:g} to {most_us:g} us"


def _littles_law(sample: Sample) -> str | None:
    """Compare the sum of all latencies with throughput times their mean, which is stored separately."""
    latencies_us, elapsed_ns = sample.latencies_us, sample.number("elapsed_ns")
    completed, at_once = sample.number("completed_count"), sample.parameters.get("at_once")
    if not latencies_us or not elapsed_ns or completed is None:
        return None
    in_flight = sum(latencies_us) * 1e3 / elapsed_ns
    total_us = sample.number("latency_all_us")
    mean_us = (sum(latencies_us) if total_us is None else total_us) / len(latencies_us)
    by_law = completed / elapsed_ns * mean_us * 1e3
    if abs(in_flight - by_law) > SLACK * in_flight:
        return f"{in_flight:.3g} in flight on average, but throughput times mean latency is {by_law:.3g}"
    # In an open loop a latency counts from when the request fell due, so requests queue beyond the slots.
    return None if sample.is_open_loop else _beyond_slots(in_flight, at_once)


def _beyond_slots(in_flight: float, at_once: float | str | None) -> str | None:
    if at_once is None or in_flight <= float(at_once) * (1 + SLACK):
        return None
    return f"{in_flight:.3g} in flight on average, but at most {at_once} were made at once"


def _in_flight(sample: Sample) -> str | None:
    """Compare the sum of a closed loop's latencies with what its slots can hold."""
    total_us, elapsed_ns = sample.number("latency_all_us"), sample.number("elapsed_ns")
    if total_us is None or not elapsed_ns or sample.is_open_loop:
        return None
    return _beyond_slots(total_us * 1e3 / elapsed_ns, sample.parameters.get("at_once"))


def _cpu(sample: Sample) -> str | None:
    return _impossible_cpu(sample, "cpu_us")


def _tree_cpu(sample: Sample) -> str | None:
    return _impossible_cpu(sample, "tree_cpu_us")


def _impossible_cpu(sample: Sample, column: str) -> str | None:
    cpu_us, elapsed_ns = sample.number(column), sample.number("elapsed_ns")
    if cpu_us is None or elapsed_ns is None or cpu_us <= _most_cpu_us(elapsed_ns, sample.cores):
        return None
    return f"{cpu_us / 1e6:.3g} s of processor time in {elapsed_ns / 1e9:.3g} s on {sample.cores} cores"


def _most_cpu_us(elapsed_ns: float, cores: int) -> float:
    return elapsed_ns / 1e3 * cores * (1 + SLACK) + CPU_GRANULARITY_US


def _load_share(sample: Sample) -> str | None:
    load_ns, elapsed_ns = sample.number("load_cpu_ns"), sample.number("elapsed_ns")
    if load_ns is None or not elapsed_ns:
        return None
    is_busy = (sample.number("cpu_us") or 0) * 1e3 >= BUSY * elapsed_ns
    limit, server = (BUSY_LOAD_SHARE, "takes a core") if is_busy else (LOAD_SHARE, "leaves some of its core idle")
    if load_ns < limit * elapsed_ns:
        return None
    used, most = f"{100 * load_ns / elapsed_ns:.1f}{NO_BREAK}%", f"{100 * limit:g}{NO_BREAK}%"
    return f"the load generator used {used} of a core, more than the {most} allowed if the server {server}"


def _load_peak(sample: Sample) -> str | None:
    """Check the load: a closed loop fills all its slots at the start, unless connections are refused at once."""
    peak, at_once = sample.number("load_peak_in_flight_count"), sample.parameters.get("at_once")
    if peak is None or at_once is None:
        return None
    if peak > float(at_once):
        return f"{peak:g} requests were in flight, but at most {at_once} may be"
    is_full = not sample.is_open_loop and not sample.number("failed_count")
    expected = min(float(at_once), float(sample.parameters.get("requests", at_once)))
    if is_full and peak < expected:
        return f"at most {peak:g} requests were in flight, not the {expected:g} of the load"
    return None


def _percentiles(sample: Sample) -> str | None:
    """Compare percentiles with each other and with the mean, if they are stored instead of all latencies."""
    names = ("latency_median_us", "latency_p99_us", "latency_worst_us")
    numbers = [number for name in names if (number := sample.number(name)) is not None]
    if numbers != sorted(numbers):
        return f"a median, a 99th percentile and a worst latency of {', '.join(f'{number:g}' for number in numbers)} us"
    completed, total_us = sample.number("completed_count"), sample.number("latency_all_us")
    if not completed or total_us is None or sample.number("failed_count"):
        return None
    mean_us, worst_us = total_us / completed, sample.number("latency_worst_us")
    if worst_us is None or mean_us <= worst_us:
        return None
    return f"a mean latency of {mean_us:g} us, and a worst of {worst_us:g} us"


def _schedule(sample: Sample) -> str | None:
    """Compare an open loop with its schedule, which fixes when the last request is due."""
    rate_per_s, requests = sample.parameters.get("rate_per_s"), sample.parameters.get("requests")
    elapsed_ns = sample.number("elapsed_ns")
    if not rate_per_s or requests is None or elapsed_ns is None:
        return None
    least_ns = (float(requests) - 1) / float(rate_per_s) * 1e9
    if elapsed_ns >= least_ns:
        return None
    return f"the load was over after {elapsed_ns / 1e6:g} ms, but the last request was due after {least_ns / 1e6:g} ms"


def _lateness(sample: Sample) -> str | None:
    """Reject a load that was late though the server kept up: it is not the requested load.

    The harness fails such samples itself. This rejects them in any file, whatever wrote it.
    """
    rate_per_s, requests = sample.parameters.get("rate_per_s"), sample.parameters.get("requests")
    if not rate_per_s or requests is None:
        return None
    load = Load(at_once=0, requests=int(requests), timeout_s=0.0, rate_per_s=float(rate_per_s))
    columns = {name: sample.number(name) for name in ("load_start_late_us", "elapsed_ns", "failed_count")}
    return broken_schedule(load, columns) or None


SAMPLE_RULES: Mapping[str, tuple[str, Rule]] = {
    "clock": ("elapsed_ns", _clock),
    "completed is requested": ("completed_count", _completed),
    "percentiles in order": ("latency_steps_us", _order),
    "mean inside": ("latency_all_us", _mean),
    "Little's law": ("latency_steps_us", _littles_law),
    "processor time": ("cpu_us", _cpu),
    "processor time of all processes": ("tree_cpu_us", _tree_cpu),
    "load generator": ("load_cpu_ns", _load_share),
    "percentiles in step": ("latency_p99_us", _percentiles),
    "slots": ("latency_p99_us", _in_flight),
    "schedule": ("load_start_late_us", _schedule),
    "lateness": ("load_start_late_us", _lateness),
    "load in flight": ("load_peak_in_flight_count", _load_peak),
}
"""By name, the raw column that a rule needs, and the rule."""
