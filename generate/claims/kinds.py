"""What a claim can expect: each kind is one class, and nothing else lists them.

A claims file writes `expect = { ratio_below = 1 }`, which is `RatioBelow(1)`.
"""

import math
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, ClassVar

import msgspec

from generate.data.estimates import Bounds
from generate.words import patterns
from generate.words.numbers import format_share, format_value
from generate.words.units import DURATION, Kind, find_unit

Ratio = Annotated[float, msgspec.Meta(gt=0, le=1e6)]
Times = Annotated[float, msgspec.Meta(gt=1, le=1e6)]
Margin = Annotated[float, msgspec.Meta(gt=0, lt=1)]


class Takes(Enum):
    """What a kind is judged on, in the words of error messages."""

    PAIR = "one case and a baseline"
    STEPS = "two or more `cases` and no baseline"
    VALUE = "one case and no baseline"
    RULE = "a `rule` of the map, and neither candidate nor baseline"


class ClaimKind(ABC):
    """A kind of expectation: a frozen dataclass of one field."""

    __match_args__: ClassVar[tuple[str, ...]]  # of every dataclass: its fields
    name: ClassVar[str]
    """What it is called in a claims file: the class's name in lower case."""
    takes: ClassVar[Takes] = Takes.PAIR
    is_no_difference: ClassVar[bool] = False
    """True if a ratio that holds is described by its expectation, not by its distance from 1."""

    def __init_subclass__(cls) -> None:
        """Name the kind after its class, and make it known."""
        cls.name = re.sub(r"\B(?=[A-Z])", "_", cls.__name__).lower()
        KINDS[cls.name] = cls

    @abstractmethod
    def bounds(self, unit: str, printed: float | None) -> Bounds:
        """Return the bounds of the ratio, or of the value in *unit*; *printed* is the source's own.

        Raises ValueError if that is not possible.
        """

    def describe(self, unit: str, printed: float | None, kind: Kind) -> str:
        """Describe what is expected from a metric of this unit and kind: "at least 2 times as fast"."""
        low, high = self.bounds(unit, printed)
        if self.takes is not Takes.VALUE:
            ends = [_describe_limit(end, kind, is_upper=end == high) for end in (low, high) if math.isfinite(end)]
        elif low == high:
            ends = [patterns.EXACTLY.format(format_value(low, unit))]
        else:
            sides = [(patterns.AT_LEAST, low), (patterns.AT_MOST, high)]
            ends = [side.format(format_value(end, unit)) for side, end in sides if math.isfinite(end)]
        return " and ".join(ends)


KINDS: dict[str, type[ClaimKind]] = {}
"""By name, in the order of this module."""


@dataclass(frozen=True)
class RatioBelow(ClaimKind):
    bound: Ratio

    def bounds(self, unit: str, printed: float | None) -> Bounds:
        return Bounds(-math.inf, self.bound)


@dataclass(frozen=True)
class RatioAbove(ClaimKind):
    bound: Ratio

    def bounds(self, unit: str, printed: float | None) -> Bounds:
        return Bounds(self.bound, math.inf)


@dataclass(frozen=True)
class RatioWithin(ClaimKind):
    """No difference: the ratio lies within 1 plus or minus a margin."""

    margin: Margin
    is_no_difference = True

    def bounds(self, unit: str, printed: float | None) -> Bounds:
        return Bounds(1 - self.margin, 1 + self.margin)

    def describe(self, unit: str, printed: float | None, kind: Kind) -> str:
        return patterns.NO_DIFFERENCE_BEYOND.format(format_share(self.margin))


@dataclass(frozen=True)
class RatioNearPrinted(ClaimKind):
    """The ratio lies within a factor of the printed one, in either direction."""

    times: Times

    def bounds(self, unit: str, printed: float | None) -> Bounds:
        if not printed:
            msg = f"{self.name} takes `printed` with a candidate and a baseline"
            raise ValueError(msg)
        return Bounds(printed / self.times, printed * self.times)

    def describe(self, unit: str, printed: float | None, kind: Kind) -> str:
        return patterns.RATIO_GIVE_OR_TAKE.format(ratio=describe_exact_ratio(printed or 1, kind), times=self.times)


@dataclass(frozen=True)
class NeverFalls(ClaimKind):
    """From each of the cases to the next, the ratio is not below 1 less a margin."""

    margin: Margin
    takes = Takes.STEPS

    def bounds(self, unit: str, printed: float | None) -> Bounds:
        return Bounds(1 - self.margin, math.inf)

    def describe(self, unit: str, printed: float | None, kind: Kind) -> str:
        return patterns.NO_STEP_DOWN_BY.format(format_share(self.margin))


@dataclass(frozen=True)
class ValueAtMost(ClaimKind):
    """The value is at most an amount, such as "100 ms"."""

    amount: str
    takes = Takes.VALUE

    def bounds(self, unit: str, printed: float | None) -> Bounds:
        return Bounds(-math.inf, parse_amount(self.amount, unit))


@dataclass(frozen=True)
class ValueAtLeast(ClaimKind):
    """The value is at least an amount, such as "100 ms"."""

    amount: str
    takes = Takes.VALUE

    def bounds(self, unit: str, printed: float | None) -> Bounds:
        return Bounds(parse_amount(self.amount, unit), math.inf)


@dataclass(frozen=True)
class ValueWithin(ClaimKind):
    """The value lies between two amounts; a count may be expected exactly, by two equal ones."""

    amounts: tuple[str, str]
    takes = Takes.VALUE

    def bounds(self, unit: str, printed: float | None) -> Bounds:
        low, high = (parse_amount(amount, unit) for amount in self.amounts)
        if low > high or (low == high and unit != "count"):
            msg = f"nothing lies from {self.amounts[0]!r} to {self.amounts[1]!r}; only a count can be met exactly"
            raise ValueError(msg)
        return Bounds(low, high)


@dataclass(frozen=True)
class RightAtLeast(ClaimKind):
    """A rule of thumb is right at this share of the map's points or more."""

    share: Margin
    takes = Takes.RULE

    def bounds(self, unit: str, printed: float | None) -> Bounds:
        return Bounds(self.share, math.inf)

    def describe(self, unit: str, printed: float | None, kind: Kind) -> str:
        return patterns.RULE_RIGHT_FOR_AT_LEAST.format(format_share(self.share))


def _describe_limit(bound: float, kind: Kind, *, is_upper: bool) -> str:
    """Describe a ratio's bound: "at least 2 times as fast", "at most 1.1 times as long"; "faster" or "more" for 1."""
    if bound == 1:
        below, above = patterns.SIDES_OF_ONE[kind is DURATION]
        return below if is_upper else above
    limit = patterns.AT_MOST if is_upper is not (bound < 1) else patterns.AT_LEAST  # below 1 the reciprocal is written
    return describe_exact_ratio(bound, kind, limit)


def describe_exact_ratio(ratio: float, kind: Kind, limit: str = "{}") -> str:
    """Describe a ratio that is set, not measured, with its own digits, or three."""
    words, number = (kind.less, 1 / ratio) if ratio < 1 else (kind.more.removeprefix(patterns.TAKES), ratio)
    written = f"{number:.3g}"
    return words.format(limit.format("1.00" if written == "1" else written))


def parse_amount(text: str, unit: str) -> float:
    """Return an amount like "4.2 s" in *unit*; a share is "90 %" or "0.9". Raises ValueError."""
    match = re.fullmatch(r"(\d{1,15}(?:\.\d+)?)\s*(\D*)", text)
    sizes = {scale.sign: scale.size for scale in find_unit(unit).scales} | ({"": 1.0} if unit == "ratio" else {})
    if match is None or match[2] not in sizes:
        known = " or ".join(repr(f"1 {sign}".strip()) for sign in sizes)
        msg = f"{text!r} is not an amount of this metric; write it like {known}"
        raise ValueError(msg)
    return float(match[1]) * sizes[match[2]]


def claim_kind(expect: object) -> ClaimKind:
    """Return the kind that a claims file names: `{"ratio_below": 1}`. Raises ValueError."""
    if not isinstance(expect, dict) or len(expect) != 1 or not expect.keys() <= KINDS.keys():
        msg = f"{expect!r} is not exactly one of {', '.join(KINDS)}"
        raise ValueError(msg)
    ((name, given),) = expect.items()
    kind = KINDS[name]
    (field,) = kind.__match_args__
    try:
        return msgspec.convert({field: given}, kind)
    except msgspec.ValidationError as error:
        msg = f"{name}: {str(error).partition(' - at `')[0]}"
        raise ValueError(msg) from error
