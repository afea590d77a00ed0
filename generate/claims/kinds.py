"""What a claim can expect: each kind is one class, and nothing else lists them. Pure.

A claims file writes `expect = { ratio_below = 1 }`, which is `RatioBelow(1)`. A class of this module says what it
`takes`, its `bounds` and its `words`; its one field is what the file gives.
"""

from __future__ import annotations

import inspect
import math
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, ClassVar

import msgspec

from generate.claims.bounds import Bounds
from generate.text.numbers import SCALES, format_share, format_value

HIGHEST_RATIO = 1e6
Ratio = Annotated[float, msgspec.Meta(gt=0, le=HIGHEST_RATIO)]
Times = Annotated[float, msgspec.Meta(gt=1, le=HIGHEST_RATIO)]
Margin = Annotated[float, msgspec.Meta(gt=0, lt=1)]
MarginOrNone = Annotated[float, msgspec.Meta(ge=0, lt=1)]


class Takes(Enum):
    """What a kind is judged on. The values are the words of error messages."""

    PAIR = "one case and a baseline"
    """The ratio candidate / baseline, paired by round."""
    STEPS = "two or more `cases` and no baseline"
    """The ratio of each case to the one before."""
    VALUE = "one case and no baseline"
    """The candidate's value, in the metric's unit."""


class ClaimKind(ABC):
    """A kind of expectation: a frozen dataclass of one field."""

    __match_args__: ClassVar[tuple[str, ...]]  # dataclasses have it
    name: ClassVar[str]
    """What it is called in a claims file: the class's name in lower case."""
    takes: ClassVar[Takes] = Takes.PAIR

    def __init_subclass__(cls) -> None:
        """Name the kind after its class."""
        cls.name = re.sub(r"\B(?=[A-Z])", "_", cls.__name__).lower()

    @abstractmethod
    def bounds(self, unit: str, printed: float | None) -> Bounds:
        """Return where the ratio, or the value in *unit*, should lie; *printed* is the source's own.

        Raises ValueError where that is not possible.
        """

    @abstractmethod
    def words(self, unit: str, printed: float | None) -> str:
        """Return what is expected: "a ratio below 1", "at most 100 ms"."""

    def words_where_it_holds(self) -> str:
        """Return what is said of the measured ratio where the claim holds; empty: how far it lies from 1."""
        return ""


class _OfRatio(ClaimKind):
    def words(self, unit: str, printed: float | None) -> str:
        return f"a ratio {self.bounds(unit, printed).words(exact, 'above', 'below')}"


class _OfValue(ClaimKind):
    takes = Takes.VALUE

    def words(self, unit: str, printed: float | None) -> str:
        bounds = self.bounds(unit, printed)
        return bounds.words(lambda value: format_value(value, unit), "at least", "at most")


@dataclass(frozen=True)
class RatioBelow(_OfRatio):
    """The ratio lies below a bound."""

    bound: Ratio

    def bounds(self, unit: str, printed: float | None) -> Bounds:
        """Return what lies below."""
        return Bounds(-math.inf, self.bound)


@dataclass(frozen=True)
class RatioAbove(_OfRatio):
    """The ratio lies above a bound."""

    bound: Ratio

    def bounds(self, unit: str, printed: float | None) -> Bounds:
        """Return what lies above."""
        return Bounds(self.bound, math.inf)


@dataclass(frozen=True)
class RatioWithin(_OfRatio):
    """No difference: the ratio lies within 1 plus or minus a margin."""

    margin: Margin

    def bounds(self, unit: str, printed: float | None) -> Bounds:
        """Return the margin about 1."""
        return Bounds(1 - self.margin, 1 + self.margin)

    def words_where_it_holds(self) -> str:
        """Name the margin."""
        return f"no difference beyond {format_share(self.margin)}"


@dataclass(frozen=True)
class RatioNearPrinted(_OfRatio):
    """The ratio lies within so many times of the printed one, either way."""

    times: Times

    def bounds(self, unit: str, printed: float | None) -> Bounds:
        """Return what lies near the printed ratio. Raises ValueError where none was printed."""
        if not printed:
            msg = "takes `printed` with a candidate and a baseline"
            raise ValueError(msg)
        return Bounds(printed / self.times, printed * self.times)

    def words(self, unit: str, printed: float | None) -> str:
        """Name the printed ratio too."""
        near = f"which is within {self.times:g} times of the printed {exact(printed)}"
        return f"{super().words(unit, printed)}, {near}"


@dataclass(frozen=True)
class NeverFalls(ClaimKind):
    """From each of the cases to the next, the ratio is not below 1 less a margin."""

    margin: MarginOrNone
    takes = Takes.STEPS

    def bounds(self, unit: str, printed: float | None) -> Bounds:
        """Return the bounds of every step."""
        return Bounds(1 - self.margin, math.inf)

    def words(self, unit: str, printed: float | None) -> str:
        """Name the lowest step."""
        return f"no step's ratio below {exact(self.bounds(unit, printed).low)}"


@dataclass(frozen=True)
class ValueAtMost(_OfValue):
    """The value is no higher than an amount, as "100 ms"."""

    amount: str

    def bounds(self, unit: str, printed: float | None) -> Bounds:
        """Return what is no higher."""
        return Bounds(-math.inf, amount_of(self.amount, unit))


@dataclass(frozen=True)
class ValueAtLeast(_OfValue):
    """The value is no lower than an amount, as "100 ms"."""

    amount: str

    def bounds(self, unit: str, printed: float | None) -> Bounds:
        """Return what is no lower."""
        return Bounds(amount_of(self.amount, unit), math.inf)


@dataclass(frozen=True)
class ValueWithin(_OfValue):
    """The value lies between two amounts; a count may be expected exactly, by two equal ones."""

    amounts: tuple[str, str]

    def bounds(self, unit: str, printed: float | None) -> Bounds:
        """Return what lies between. Raises ValueError where nothing does."""
        low, high = (amount_of(amount, unit) for amount in self.amounts)
        if low > high:
            msg = f"nothing lies from {self.amounts[0]!r} to {self.amounts[1]!r}"
            raise ValueError(msg)
        if low == high and unit != "count":
            msg = f"{self.amounts[0]!r} twice: only a count can be met exactly"
            raise ValueError(msg)
        return Bounds(low, high)


def exact(ratio: float | None) -> str:
    """Write a ratio that is not measured but set: rounded as a measured one it would be another bound."""
    return "" if ratio is None else f"{ratio:.3g}"


def amount_of(text: str, unit: str) -> float:
    """Return an amount like "4.2 s" in *unit*. Raises ValueError."""
    found = re.fullmatch(r"(\d{1,15}(?:\.\d+)?)\s*(\D*)", text)
    sizes = {scale.sign: scale.size for scale in SCALES[unit]}
    if found is None or found[2] not in sizes:
        known = " or ".join(repr(f"1 {sign}".strip()) for sign in sizes)
        msg = f"{text!r} is no amount of this metric; write it like {known}"
        raise ValueError(msg)
    return float(found[1]) * sizes[found[2]]


def _kinds(below: type[Any]) -> dict[str, type[ClaimKind]]:
    """Return the kinds by name, in the order of this module."""
    kinds: dict[str, type[ClaimKind]] = {}
    for kind in below.__subclasses__():
        kinds |= _kinds(kind) if inspect.isabstract(kind) else {kind.name: kind}
    return kinds


def kind_of(expect: object) -> ClaimKind:
    """Return the kind that a claims file names: `{"ratio_below": 1}`. Raises ValueError."""
    kinds = _kinds(ClaimKind)
    if not isinstance(expect, dict) or len(expect) != 1 or not expect.keys() <= kinds.keys():
        msg = f"{expect!r} is not exactly one of {', '.join(kinds)}"
        raise ValueError(msg)
    ((name, given),) = expect.items()
    (field,) = kinds[name].__match_args__
    try:
        return msgspec.convert({field: given}, kinds[name])
    except msgspec.ValidationError as error:
        msg = f"{name}: {str(error).partition(' - at `')[0]}"
        raise ValueError(msg) from error
