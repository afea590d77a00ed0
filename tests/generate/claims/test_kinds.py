"""The kinds of expectation: each is one class, which nothing lists."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pytest
from judging import FAST, FASTER, changed, record_with, verdict_on

from generate.claims import kinds
from generate.claims.kinds import Bounds, ClaimKind, Ratio, amount_of, claim_kind
from generate.claims.sentences import sentence


@pytest.mark.parametrize(
    ("expect", "unit", "bounds"),
    [
        ({"ratio_below": 0.5}, "ns", (-math.inf, 0.5)),
        ({"ratio_above": 2}, "ns", (2, math.inf)),
        ({"ratio_within": 0.25}, "ns", (0.75, 1.25)),
        ({"ratio_near_printed": 2}, "ns", (0.25, 1)),
        ({"never_falls": 0.25}, "ns", (0.75, math.inf)),
        ({"never_falls": 0}, "ns", (1, math.inf)),
        ({"value_at_most": "100 ms"}, "ns", (-math.inf, 1e8)),
        ({"value_at_least": "100 ms"}, "us", (1e5, math.inf)),
        ({"value_within": ["1", "2"]}, "count", (1, 2)),
        ({"value_within": ["5", "5"]}, "count", (5, 5)),
    ],
)
def test_a_kind_is_named_by_its_key_and_has_bounds(
    expect: dict[str, object], unit: str, bounds: tuple[float, float]
) -> None:
    kind = claim_kind(expect)
    assert [kind.name] == [*expect]
    assert kind.bounds(unit, 0.5) == bounds


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        ({"value_within": ["2 s", "1 s"]}, "nothing lies from '2 s' to '1 s'"),
        ({"value_within": ["1 s", "1 s"]}, "nothing lies from '1 s' to '1 s'; only a count can be met exactly"),
        ({"value_at_most": "1 apple"}, "'1 apple' is no amount of this metric; write it like '1 s' or"),
        ({"value_at_most": "9" * 400 + " s"}, "is no amount"),
        ({"ratio_near_printed": 2}, "takes `printed`"),
    ],
)
def test_bounds_that_can_t_be_are_refused(expect: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        claim_kind(expect).bounds("ns", None)


@pytest.mark.parametrize("expect", [{}, 5, {"ratio_blow": 1}, {"ratio_below": 1, "ratio_above": 1}])
def test_an_expectation_names_exactly_one_kind(expect: object) -> None:
    with pytest.raises(ValueError, match="is not exactly one of ratio_below, ratio_above, "):
        claim_kind(expect)


def test_an_amount_is_in_the_metric_s_unit() -> None:
    assert amount_of("1.5 ms", "ns") == 1.5e6
    assert amount_of("38.6 per second", "per_s") == 38.6


def test_a_further_kind_is_one_class(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinds, "KINDS", {**kinds.KINDS})

    @dataclass(frozen=True)
    class TwiceBelow(ClaimKind):
        bound: Ratio

        def bounds(self, unit: str, printed: float | None) -> Bounds:
            assert (unit, printed) == ("ns", None)
            return Bounds(-math.inf, self.bound / 2)

        def words(self, unit: str, printed: float | None) -> str:
            return self.bounds(unit, printed).words(str, "not below half of", "half of")

    kind = claim_kind({"twice_below": 4})
    assert isinstance(kind, TwiceBelow)
    verdict = verdict_on(record_with(FAST), changed(FASTER, expect=kind))
    assert verdict.verdict == "holds"
    assert verdict.part.hypothesis is not None
    assert verdict.part.hypothesis.words == "half of 2.0"
    assert "1.2 times as fast" in sentence(verdict)
