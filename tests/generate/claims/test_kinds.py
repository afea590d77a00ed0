"""The kinds of expectation: each is one class."""

import math

import pytest

from generate.claims.kinds import claim_kind, parse_amount
from generate.data.estimates import Bounds


@pytest.mark.parametrize(
    ("low", "high", "decision"),
    [
        (0.95, 1.05, "holds"),
        (0.9, 0.9, "holds"),
        (1.2, 1.3, "does not hold"),
        (0.5, 0.8, "does not hold"),
        (0.8, 0.8, "does not hold"),
        *((low, high, "undecided") for low, high in ((1.1, 1.2), (0.8, 0.9), (0.9, 1.05))),
    ],
)
def test_complete_range_decides(low: float, high: float, decision: str) -> None:
    assert Bounds(0.9, 1.1).decide(low, high) == decision


@pytest.mark.parametrize(
    ("expect", "unit", "bounds"),
    [
        ({"ratio_below": 0.2}, "ns", (-math.inf, 0.2)),
        ({"ratio_above": 2}, "ns", (2, math.inf)),
        ({"ratio_within": 0.25}, "ns", (0.75, 1.25)),
        ({"ratio_near_printed": 1.25}, "ns", (0.4, 0.625)),
        ({"never_falls": 0.25}, "ns", (0.75, math.inf)),
        ({"value_at_most": "100 ms"}, "ns", (-math.inf, 1e8)),
        ({"value_at_least": "1 s"}, "us", (1e6, math.inf)),
        ({"value_within": ["1", "2"]}, "count", (1, 2)),
        ({"value_within": ["5", "5"]}, "count", (5, 5)),
        ({"right_at_least": 0.8}, "ratio", (0.8, math.inf)),
    ],
)
def test_kind_has_its_name_and_bounds(expect: dict[str, object], unit: str, bounds: tuple[float, float]) -> None:
    kind = claim_kind(expect)
    assert ([kind.name], kind.bounds(unit, 0.5)) == ([*expect], bounds)


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        ({"value_within": ["2 s", "1 s"]}, "'2 s' to '1 s'"),
        ({"value_within": ["1 s", "1 s"]}, "'1 s' to '1 s'"),
        ({"value_at_most": "1 apple"}, r"'1 apple'.*'1 s'"),
        ({"value_at_most": "9" * 400 + " s"}, "999 s'"),
        ({"ratio_near_printed": 2}, "`printed`"),
        *((wrong, "ratio_below, ratio_above, ") for wrong in ({}, 5, {"ratio_blow": 1})),
        ({"ratio_below": 1, "ratio_above": 1}, "ratio_below, ratio_above, "),
        *(({"ratio_below": wrong}, "ratio_below: ") for wrong in (math.nan, math.inf, 0)),
        ({"ratio_near_printed": 0.5}, "> 1.0"),
    ],
)
def test_unknown_kind_or_impossible_bounds_are_refused(expect: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        claim_kind(expect).bounds("ns", None)


def test_amount_is_in_the_metrics_unit() -> None:
    assert parse_amount("1.5 ms", "ns") == 1.5e6
    assert parse_amount("38.6 per second", "per_s") == 38.6
    assert parse_amount("0.9", "ratio") == parse_amount("90 %", "ratio") == 0.9
    assert parse_amount("3 furlongs", "furlongs") == 3
    with pytest.raises(ValueError, match=r"'3 ms'.*'1 furlongs'"):
        parse_amount("3 ms", "furlongs")
