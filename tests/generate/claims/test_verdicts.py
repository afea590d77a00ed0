"""Verdicts on synthetic records: each kind of expectation, and what noise may not decide."""

from __future__ import annotations

import pytest
from factory import make
from judging import (
    COUNT,
    EVEN,
    FAST,
    FASTER,
    SCENARIOS,
    SLOW,
    STEPS,
    changed,
    record_with,
    verdict_on,
    with_values,
)

from generate.claims.kinds import ClaimKind, RatioAbove, RatioBelow, RatioWithin, ValueAtLeast, ValueWithin


@pytest.mark.parametrize(
    ("expect", "ratios", "verdict"),
    [
        (RatioBelow(1), FAST, "holds"),
        (RatioBelow(1), SLOW, "does not hold"),
        (RatioBelow(1), EVEN, "too close to call"),
        (RatioWithin(0.10), EVEN, "holds"),
        (RatioWithin(0.10), SLOW, "does not hold"),
        (RatioWithin(0.10), FAST, "does not hold"),
        (RatioWithin(0.02), EVEN, "too close to call"),
    ],
)
def test_a_ratio_is_judged_by_where_its_interval_lies(expect: ClaimKind, ratios: list[float], verdict: str) -> None:
    judged = verdict_on(record_with(ratios), changed(FASTER, expect=expect))
    assert (judged.verdict, judged.leans) == (verdict, None)
    assert judged.evidence is not None
    assert judged.evidence.compared[0].count == 12


@pytest.mark.parametrize(
    ("expect", "verdict"),
    [
        (ValueAtLeast("700 ms"), "holds"),
        (ValueAtLeast("0.9 s"), "does not hold"),
        (ValueWithin(("700 ms", "900 ms")), "holds"),
        (ValueWithin(("850 ms", "900 ms")), "does not hold"),
        (ValueWithin(("805 ms", "900 ms")), "too close to call"),
    ],
)
def test_a_value_is_judged_by_where_its_interval_lies(expect: ClaimKind, verdict: str) -> None:
    judged = verdict_on(record_with(FAST), changed(FASTER, baseline="", expect=expect))
    assert judged.verdict == verdict


@pytest.mark.parametrize(
    ("counts", "verdict"), [([5] * 12, "holds"), ([4] * 12, "does not hold"), ([5] * 11 + [4], "too close to call")]
)
def test_a_count_that_does_not_vary_is_judged_exactly(counts: list[float], verdict: str) -> None:
    record = with_values("unbounded", counts, column="depth_max_count")(make(SCENARIOS))
    judged = verdict_on(record, COUNT)
    assert judged.verdict == verdict
    assert judged.evidence is not None
    assert (judged.evidence.test is None) == (len({*counts}) == 1)


@pytest.mark.parametrize(
    ("worst", "verdict"),
    [
        ((10, 20, 30), "holds"),
        ((10, 9.5, 30), "holds"),
        ((10, 20, 10), "does not hold"),
        ((20, 10, 30), "does not hold"),
    ],
)
def test_a_sweep_never_falls_unless_any_step_does(worst: tuple[float, ...], verdict: str) -> None:
    record = make(SCENARIOS)
    for case, value in zip(STEPS.cases, worst, strict=True):
        values = [round(value * (1e6 + n)) for n in range(12)]
        record = with_values("job_queue", values, column="heartbeat_worst_delay_ns", case=case)(record)
    assert verdict_on(record, STEPS).verdict == verdict


@pytest.mark.parametrize(
    ("expect", "ratios", "verdict"),
    [
        (RatioBelow(1), FAST, "holds"),
        (RatioAbove(1), FAST, "does not hold"),
        (RatioWithin(0.10), SLOW, "does not hold"),
    ],
)
def test_no_difference_is_decided_that_the_baseline_has_from_itself(
    expect: ClaimKind, ratios: list[float], verdict: str
) -> None:
    assert verdict_on(record_with(ratios, noise=0.1), changed(FASTER, expect=expect)).verdict == verdict
    judged = verdict_on(record_with(ratios, noise=0.3), changed(FASTER, expect=expect))
    assert (judged.verdict, judged.leans) == ("too close to call", verdict)
    assert "reaches into the noise" in judged.reason


@pytest.mark.parametrize("expect", [RatioWithin(0.10), RatioAbove(0.5), RatioBelow(0.5)])
def test_noise_does_not_undo_what_claims_no_difference(expect: ClaimKind) -> None:
    quiet = verdict_on(record_with(EVEN), changed(FASTER, expect=expect))
    assert quiet.verdict in {"holds", "does not hold"}
    assert verdict_on(record_with(EVEN, noise=0.3), changed(FASTER, expect=expect)).verdict == quiet.verdict
