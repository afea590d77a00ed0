"""The kinds of expectation: each is one class, which nothing lists."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pytest
from judging import FAST, FASTER, record_with, verdict_on
from msgspec.structs import replace

from generate.claims import kinds
from generate.claims.kinds import ClaimKind, Ratio, amount_of, claim_kind
from generate.data.estimates import Bounds
from generate.words.units import unit_of

BELOW_ONE = Bounds(-math.inf, 1.0)
ALIKE = Bounds(0.9, 1.1)


@pytest.mark.parametrize(
    ("bounds", "low", "high", "decision"),
    [
        (BELOW_ONE, 0.7, 0.9, "holds"),
        (BELOW_ONE, 1.1, 1.3, "does not hold"),
        (BELOW_ONE, 0.9, 1.0, "undecided"),
        (ALIKE, 0.95, 1.05, "holds"),
        (ALIKE, 1.2, 1.3, "does not hold"),
        (ALIKE, 0.5, 0.8, "does not hold"),
        (ALIKE, 1.1, 1.2, "undecided"),
        (ALIKE, 0.8, 0.9, "undecided"),
        (ALIKE, 0.9, 1.05, "undecided"),
        (ALIKE, 0.9, 0.9, "holds"),
        (ALIKE, 0.8, 0.8, "does not hold"),
    ],
)
def test_complete_range_decides(bounds: Bounds, low: float, high: float, decision: str) -> None:
    assert bounds.decide(low, high) == decision


@pytest.mark.parametrize(
    ("expect", "unit", "bounds", "words"),
    [
        ({"ratio_below": 0.2}, "ns", (-math.inf, 0.2), "at least 5 times as fast"),
        ({"ratio_below": 1}, "ns", (-math.inf, 1), "faster"),
        ({"ratio_below": 1.1}, "ns", (-math.inf, 1.1), "at most 1.1 times as long"),
        ({"ratio_above": 2}, "ns", (2, math.inf), "at least 2 times as long"),
        ({"ratio_above": 0.5}, "ns", (0.5, math.inf), "at most 2 times as fast"),
        ({"ratio_above": 1}, "bytes", (1, math.inf), "more"),
        ({"ratio_below": 0.1}, "bytes", (-math.inf, 0.1), "lower by a factor of at least 10"),
        ({"ratio_above": 2}, "per_s", (2, math.inf), "at least 2 times as many per second"),
        ({"ratio_within": 0.25}, "ns", (0.75, 1.25), "no difference beyond 25\N{NO-BREAK SPACE}%"),
        ({"ratio_near_printed": 1.25}, "ns", (0.4, 0.625), "2 times as fast, give or take a factor of 1.25"),
        ({"never_falls": 0.25}, "ns", (0.75, math.inf), "no step down by more than 25\N{NO-BREAK SPACE}%"),
        ({"never_falls": 0}, "ns", (1, math.inf), "no step down"),
        ({"value_at_most": "100 ms"}, "ns", (-math.inf, 1e8), "at most 100\N{NO-BREAK SPACE}ms"),
        ({"value_at_least": "1 s"}, "us", (1e6, math.inf), "at least 1.00\N{NO-BREAK SPACE}s"),
        ({"value_within": ["1", "2"]}, "count", (1, 2), "at least 1 and at most 2"),
        ({"value_within": ["5", "5"]}, "count", (5, 5), "exactly 5"),
        ({"right_at_least": 0.8}, "ratio", (0.8, math.inf), "right for at least 80\N{NO-BREAK SPACE}% of the points"),
    ],
)
def test_kind_has_bounds_and_words(
    expect: dict[str, object], unit: str, bounds: tuple[float, float], words: str
) -> None:
    kind = claim_kind(expect)
    assert [kind.name] == [*expect]
    assert kind.bounds(unit, 0.5) == bounds
    assert kind.describe(unit, 0.5, unit_of(unit).kind) == words


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        ({"value_within": ["2 s", "1 s"]}, "nothing lies from '2 s' to '1 s'"),
        ({"value_within": ["1 s", "1 s"]}, "nothing lies from '1 s' to '1 s'; only a count can be met exactly"),
        ({"value_at_most": "1 apple"}, "'1 apple' is no amount of this metric; write it like '1 s' or"),
        ({"value_at_most": "9" * 400 + " s"}, "is no amount"),
        ({"ratio_near_printed": 2}, "takes `printed`"),
        ({}, "is not exactly one of ratio_below, ratio_above, "),
        (5, "is not exactly one of"),
        ({"ratio_blow": 1}, "is not exactly one of"),
        ({"ratio_below": 1, "ratio_above": 1}, "is not exactly one of"),
    ],
)
def test_unknown_kind_or_impossible_bounds_are_refused(expect: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        claim_kind(expect).bounds("ns", None)


def test_amount_is_in_the_metrics_unit() -> None:
    assert amount_of("1.5 ms", "ns") == 1.5e6
    assert amount_of("38.6 per second", "per_s") == 38.6
    assert amount_of("0.9", "ratio") == amount_of("90 %", "ratio") == 0.9


def test_amount_of_an_unknown_unit_is_written_with_its_name() -> None:
    assert amount_of("3 furlongs", "furlongs") == 3
    with pytest.raises(ValueError, match="'3 ms' is no amount of this metric; write it like '1 furlongs'"):
        amount_of("3 ms", "furlongs")


def test_another_kind_is_one_class(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinds, "KINDS", {**kinds.KINDS})

    @dataclass(frozen=True)
    class TwiceBelow(ClaimKind):
        bound: Ratio

        def bounds(self, unit: str, printed: float | None) -> Bounds:
            assert (unit, printed) == ("ns", None)
            return Bounds(-math.inf, self.bound / 2)

    judged = verdict_on(record_with(FAST), part=replace(FASTER, expect=claim_kind({"twice_below": 4})))
    assert judged.verdict == "holds"
    assert judged.part.hypothesis is not None
    assert judged.part.hypothesis.expectation == "at most 2 times as long"
