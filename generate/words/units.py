"""Units: how to scale values, and how to word ratios of two values. One entry per unit."""

from collections.abc import Iterable
from typing import NamedTuple

from generate.words import patterns
from runners.harness.contract import Metric


class Scale(NamedTuple):
    """One way to write a unit: its size in the stored unit, and the sign after the number."""

    size: float
    sign: str


class Kind(NamedTuple):
    """The kind of a metric, which decides the words for its ratios. Each has a `{}` for a number of 1 or more."""

    more: str
    """For a ratio above 1."""
    less: str
    """For a ratio below 1, with its reciprocal as the number."""
    noun: str = ""
    """Precedes `less`, unless words for the same metric do."""
    better: str = ""
    """The direction that the words mean; empty if they fit both."""


DURATION = Kind(patterns.TAKES + patterns.TIMES_AS_LONG, patterns.TIMES_AS_FAST, better="lower")
MEMORY = Kind(patterns.TIMES_THE.format("memory"), patterns.LOWER, "memory", better="lower")
CPU_TIME = Kind(patterns.TIMES_THE.format("processor time"), patterns.LOWER, "processor time", better="lower")
RATE = Kind(patterns.TIMES_AS_MANY_PER_SECOND, patterns.LOWER, "a rate", better="higher")
COUNT = Kind(patterns.TIMES_AS_MANY, patterns.FEWER)
AMOUNT = Kind(patterns.TIMES_AS_MUCH, patterns.LESS)
SHARE = Kind(patterns.TIMES_THE.format("share"), patterns.LOWER, "a share", better="higher")
SPEED_UP = Kind(patterns.TIMES_THE.format("speed-up"), patterns.LOWER, "a speed-up", better="higher")
LATE = {word: Kind(patterns.TIMES_THE.format(word), patterns.LOWER, f"a {word}") for word in ("delay", "latency")}
"""Lateness is not slowness."""
KINDS = {"duration": DURATION, "memory": MEMORY, "rate": RATE, "count": COUNT, "share": SHARE, "cpu": CPU_TIME, **LATE}
"""By a scenario's name for a metric's kind."""


class Unit(NamedTuple):
    """A unit that values are stored in."""

    scales: tuple[Scale, ...]
    """The largest first. A value is written in the largest that leaves a number of at least 1."""
    kind: Kind
    """The kind of metrics in this unit, unless they have their own."""
    is_integral: bool = False
    """True if integers are written without a decimal point."""


UNITS = {
    "ns": Unit((Scale(1e9, "s"), Scale(1e6, "ms"), Scale(1e3, "µs"), Scale(1.0, "ns")), DURATION),
    "us": Unit((Scale(1e6, "s"), Scale(1e3, "ms"), Scale(1.0, "µs"), Scale(1e-3, "ns")), DURATION),
    "bytes": Unit(
        (Scale(1e9, "GB"), Scale(1e6, "MB"), Scale(1e3, "kB"), Scale(1.0, "bytes")), MEMORY, is_integral=True
    ),
    "per_s": Unit((Scale(1.0, "per second"),), RATE),
    "count": Unit((Scale(1.0, ""),), COUNT, is_integral=True),
    "ratio": Unit((Scale(0.01, "%"),), AMOUNT),
    "times": Unit((Scale(1.0, "times"),), SPEED_UP),
}


def find_unit(name: str) -> Unit:
    """Return the unit called *name*. Values in unknown units, which files may have, are written unscaled."""
    return UNITS.get(name) or Unit((Scale(1.0, name),), AMOUNT)


def axis_scale(name: str, amounts: Iterable[float]) -> Scale:
    """Return the scale for an axis of *amounts*: the largest in which the middle amount is at least 1."""
    sizes = sorted(abs(amount) for amount in amounts if amount)
    scales = find_unit(name).scales
    if not sizes:
        return scales[0]
    middle = sizes[len(sizes) // 2]
    return next((scale for scale in scales if middle >= scale.size), scales[-1])


def find_kind(metric: Metric) -> Kind:
    """Return the kind of a *metric*, or else that of its unit."""
    kind = KINDS[metric.kind] if metric.kind else find_unit(metric.unit).kind
    return kind if kind.better in {"", metric.better} else AMOUNT


def is_speed(metric: Metric) -> bool:
    """True for speeds: a time that work takes, or a rate."""
    return find_kind(metric) in {DURATION, RATE}
