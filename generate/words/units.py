"""Units: how values of each are scaled, and how a ratio of two such values is put into words. One entry a unit."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from generate.words import patterns

if TYPE_CHECKING:
    from collections.abc import Iterable

    from runners.harness.contract import Metric


class Scale(NamedTuple):
    """One way to write a unit: how many of the stored unit it is, and the sign after the number."""

    size: float
    sign: str


class Kind(NamedTuple):
    """What a metric measures, as far as the words for its ratios depend on it. Each has a `{}` for 1 or more."""

    more: str
    """For a ratio above 1."""
    less: str
    """For one below 1, with its reciprocal as the number."""
    noun: str = ""
    """Goes before `less`, unless words for the same metric precede it."""
    better: str = ""
    """The direction that the words mean; empty if they fit both."""


DURATION = Kind(patterns.TAKES + patterns.TIMES_AS_LONG, patterns.TIMES_AS_FAST, better="lower")
MEMORY = Kind(patterns.TIMES_THE.format("memory"), patterns.LOWER, "memory", better="lower")
RATE = Kind(patterns.TIMES_AS_MANY_PER_SECOND, patterns.LOWER, "a rate", better="higher")
COUNT = Kind(patterns.TIMES_AS_MANY, patterns.FEWER)
AMOUNT = Kind(patterns.TIMES_AS_MUCH, patterns.LESS)
SHARE = Kind(patterns.TIMES_THE.format("share"), patterns.LOWER, "a share", better="higher")
LATE = {word: Kind(patterns.TIMES_THE.format(word), patterns.LOWER, f"a {word}") for word in ("delay", "latency")}
"""To be late is not to be slow."""
KINDS = {"duration": DURATION, "memory": MEMORY, "rate": RATE, "count": COUNT, "share": SHARE, **LATE}
"""By what a scenario calls a metric's kind."""


class Unit(NamedTuple):
    """A unit that values are stored in."""

    scales: tuple[Scale, ...]
    """The largest first. A value is written in the largest that leaves a number of at least 1."""
    kind: Kind
    """What a metric of this unit measures, unless the metric says another."""
    is_integral: bool = False
    """True if integers are written without a point."""


UNITS = {
    "ns": Unit((Scale(1e9, "s"), Scale(1e6, "ms"), Scale(1e3, "µs"), Scale(1.0, "ns")), DURATION),
    "us": Unit((Scale(1e6, "s"), Scale(1e3, "ms"), Scale(1.0, "µs"), Scale(1e-3, "ns")), DURATION),
    "bytes": Unit(
        (Scale(1e9, "GB"), Scale(1e6, "MB"), Scale(1e3, "kB"), Scale(1.0, "bytes")), MEMORY, is_integral=True
    ),
    "per_s": Unit((Scale(1.0, "per second"),), RATE),
    "count": Unit((Scale(1.0, ""),), COUNT, is_integral=True),
    "ratio": Unit((Scale(0.01, "%"),), AMOUNT),
}


def find_unit(name: str) -> Unit:
    """Return the unit called *name*; values of an unknown one, as a file may have it, are written as they are."""
    return UNITS.get(name) or Unit((Scale(1.0, name),), AMOUNT)


def axis_scale(name: str, amounts: Iterable[float]) -> Scale:
    """Return the scale for an axis of *amounts*: the largest in which the middle amount is at least 1."""
    sizes = sorted(abs(amount) for amount in amounts if amount)
    scales = find_unit(name).scales
    if not sizes:
        return scales[0]
    middle = sizes[len(sizes) // 2]
    return next((scale for scale in scales if middle >= scale.size), scales[-1])


def kind_of_metric(metric: Metric) -> Kind:
    """Return what a *metric* measures, by its kind or else its unit."""
    kind = KINDS[metric.kind] if metric.kind else find_unit(metric.unit).kind
    return kind if kind.better in {"", metric.better} else AMOUNT


def is_speed(metric: Metric) -> bool:
    """True if it is faster or slower: a time that work takes, or a rate."""
    return kind_of_metric(metric) in {DURATION, RATE}
