"""Units: how values of each are scaled, and how a ratio of two such values is put into words. One entry a unit."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from runners.harness.contract import Metric


class Scale(NamedTuple):
    """One way to write a unit."""

    size: float
    """How many of the stored unit it is."""
    sign: str
    """What is written after the number."""


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


LOWER = "lower by a factor of {}"
DURATION = Kind("takes {} times as long", "{} times as fast", better="lower")
MEMORY = Kind("{} times the memory", LOWER, "memory", better="lower")
RATE = Kind("{} times as many per second", LOWER, "a rate", better="higher")
COUNT = Kind("{} times as many", "fewer by a factor of {}")
AMOUNT = Kind("{} times as much", "less by a factor of {}")
SHARE = Kind("{} times the share", LOWER, "a share", better="higher")
LATE = {word: Kind(f"{{}} times the {word}", LOWER, f"a {word}") for word in ("delay", "latency")}
"""By a word of a metric's name: what has one is no length of work, and to be late is not to be slow."""
KINDS = {"duration": DURATION, "memory": MEMORY, "rate": RATE, "count": COUNT, "share": SHARE, **LATE}
"""By what a scenario calls a metric's kind."""


class Unit(NamedTuple):
    """A unit that values are stored in."""

    scales: tuple[Scale, ...]
    """The largest first. A value is written in the largest that leaves a number of at least 1."""
    kind: Kind
    """What a metric of this unit measures, unless the metric says another."""
    is_whole: bool = False
    """Whether whole numbers are written without a point."""


_PLAIN = Scale(1.0, "")
UNITS = {
    "ns": Unit((Scale(1e9, "s"), Scale(1e6, "ms"), Scale(1e3, "µs"), Scale(1.0, "ns")), DURATION),
    "us": Unit((Scale(1e6, "s"), Scale(1e3, "ms"), Scale(1.0, "µs"), Scale(1e-3, "ns")), DURATION),
    "bytes": Unit((Scale(1e9, "GB"), Scale(1e6, "MB"), Scale(1e3, "kB"), Scale(1.0, "bytes")), MEMORY, is_whole=True),
    "per_s": Unit((Scale(1.0, "per second"),), RATE),
    "count": Unit((_PLAIN,), COUNT, is_whole=True),
    "ratio": Unit((Scale(0.01, "%"),), AMOUNT),  # a part of something else
}


def unit_of(name: str) -> Unit:
    """Return the unit called *name*; one that is not known, as a file may have it, is written as it is."""
    return UNITS.get(name) or Unit((Scale(1.0, name),), AMOUNT)


def axis_scale(name: str, amounts: Iterable[float]) -> Scale:
    """Return the scale for an axis of *amounts*: the largest in which the middle one of them is at least 1."""
    sizes = sorted(abs(amount) for amount in amounts if amount)
    scales = unit_of(name).scales
    if not sizes:
        return scales[0]
    middle = sizes[len(sizes) // 2]
    return next((scale for scale in scales if middle >= scale.size), scales[-1])


def kind_of(metric: str, unit: str, better: str, kind: str | None = None) -> Kind:
    """Return what the metric of this name measures; *better* is lower, higher or neither.

    The *kind* is what its scenario calls it (empty: what the unit says), or None where no scenario knows it.
    """
    named = guess_kind(metric) if kind is None else kind
    measured = KINDS[named] if named else unit_of(unit).kind
    return measured if measured.better in {"", better} else AMOUNT


def kind_of_metric(metric: Metric) -> Kind:
    """Return what a scenario's *metric* measures."""
    return kind_of(metric.name, metric.unit, metric.better, metric.kind)


def is_speed(metric: Metric) -> bool:
    """Say whether it is a time that work takes, or a rate: what is faster or slower."""
    return kind_of_metric(metric) in {DURATION, RATE}


def guess_kind(column: str) -> str:
    """Guess from the name of a *column* that no scenario knows whether it is late; empty: its unit says what it is."""
    return next((word for word in LATE if word in column.split("_")), "")
