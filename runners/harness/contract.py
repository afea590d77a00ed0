"""What a scenario and the harness say to each other, in types that the measured build can import.

Standard library only, written for Python 3.10. Kept small: the children of a process pool import it inside the clock.
"""

from __future__ import annotations

import os
import time
from _thread import get_ident  # as it is before a runner puts greenlets in the place of threads
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Value = int | float | None | list[int] | list[float]
    Parameters = Mapping[str, int | float | str]


class Case(NamedTuple):
    """One parameter set of a scenario; its size is one of the parameters and stands in its name."""

    parameters: Parameters
    """What `prepare` turns into a job. `size` is required."""
    warm_up: Parameters
    """Overrides of `parameters` that make the tiny, uncounted instance of the work."""
    block: str = ""
    """Cases of one block are measured back to back, so that they can be compared; empty: a block of its own."""
    baseline: str = ""
    """The runner measured twice in this block; empty: the scenario's BASELINE if this is the block's first case."""
    quick: bool = True
    """Whether the quick profile measures it."""
    full: bool = True
    """Whether the full profile measures it."""
    map: bool = False
    """Whether the map profile measures it."""
    steady: bool = False
    """True if it mostly waits. Measured like the others: only validation groups cases by it."""
    time_limit_s: float = 30.0
    """After this a sample is ended and recorded as timed out."""
    memory_bytes: int = 0
    """What a sample of it may come to hold; where less is free, it is not measured, so that no machine swaps."""


KINDS = ("", "duration", "delay", "latency", "rate", "memory", "count", "share")
"""What a metric may measure: the length of work, how late something is, what an answer takes, and so on."""


class Metric(NamedTuple):
    """One thing a scenario measures. The first of a scenario is the one its charts and verdicts use."""

    name: str
    """A column of the samples, or the name of what `compute` makes of them."""
    title: str
    unit: str
    """ns, us, bytes, per_s, count or ratio."""
    better: str
    """lower, higher or neither."""
    compute: Callable[[Mapping[str, Value]], float | None] | None = None
    """Makes the value from one sample's raw columns; None: the column itself."""
    kind: str = ""
    """One of KINDS: what the words for its ratios depend on; empty: what its unit says."""


class Ideal(NamedTuple):
    """The limit that no runner can beat, for the scenario's first metric."""

    text: str
    """How it is computed; or, where `compute` is None, why there is none."""
    compute: Callable[[Parameters, int, Mapping[str, Value]], float | None] | None = None
    """(parameters, usable cores, raw columns of the same round's baseline) -> the limit, in the metric's unit.

    The parameters are the case's and `limit`: the most that the runner may have in work at once, where it names one.
    """


def unknown_bytes() -> None:
    """Say that an amount of memory is not known."""


class Surroundings(NamedTuple):
    """What the harness gives a scenario to build a job from."""

    cores: int
    """Cores this process may use."""
    seed: int
    sites: tuple[str, ...] = ()
    """Base addresses of the local origin sites, for scenarios that declare SITES."""
    ready: Callable[[int], None] | None = None
    """A server calls it with its port once it accepts connections."""
    reset_peak: Callable[[], int | None] = unknown_bytes
    """Begins this process's peak of memory anew, and returns what it holds now; None where that is not known."""
    own_peak_bytes: Callable[[], int | None] = unknown_bytes
    """Returns that peak."""


class Span(NamedTuple):
    """When and where one piece of work ran. The clock is the machine's, the same in every process."""

    started_ns: int
    ended_ns: int
    process_id: int
    thread_id: int


class Outcome(NamedTuple):
    """What a scenario makes of what a runner returned, after the clock has stopped."""

    values: dict[str, Value]
    """Raw measurements beside elapsed_ns, the unit in each name."""
    spans: list[Span]
    """One for each piece of work, to count how many ran at once; empty where that is not counted here."""
    wrong: str = ""
    """What is wrong with the answers; empty: they are right."""


def span_since(started_ns: int) -> Span:
    """Close a span that began at *started_ns* (of perf_counter_ns) in this thread."""
    return Span(started_ns, time.perf_counter_ns(), os.getpid(), get_ident())


def default_executor_threads() -> int:
    """Return how many threads an event loop's default executor may start."""
    cores = getattr(os, "process_cpu_count", os.cpu_count)() or 1  # what it goes by: the first, from Python 3.13 on
    return min(32, cores + 4)


def peak_in_flight(spans: list[Span]) -> int:
    """Most spans open at one moment. One that ends as another begins does not overlap it."""
    steps = sorted([(span.started_ns, 1) for span in spans] + [(span.ended_ns, -1) for span in spans])
    running = peak = 0
    for _, step in steps:
        running += step
        peak = max(peak, running)
    return peak
