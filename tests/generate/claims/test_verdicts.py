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
    one,
    record_with,
    with_values,
)

from generate.claims.read import Expect, Printed


@pytest.mark.parametrize(
    ("expect", "ratios", "verdict"),
    [
        (Expect(ratio_below=1), FAST, "holds"),
        (Expect(ratio_below=1), SLOW, "does not hold"),
        (Expect(ratio_below=1), EVEN, "too close to call"),
        (Expect(ratio_above=1), SLOW, "holds"),
        (Expect(ratio_above=1), FAST, "does not hold"),
        (Expect(ratio_above=1), EVEN, "too close to call"),
        (Expect(ratio_within=0.10), EVEN, "holds"),
        (Expect(ratio_within=0.10), SLOW, "does not hold"),
        (Expect(ratio_within=0.10), FAST, "does not hold"),
        (Expect(ratio_within=0.02), EVEN, "too close to call"),
        (Expect(ratio_near_printed=1.25), FAST, "holds"),
        (Expect(ratio_near_printed=1.25), SLOW, "does not hold"),
        (Expect(ratio_near_printed=1.008), FAST, "too close to call"),
    ],
)
def test_a_ratio_is_judged_by_where_its_interval_lies(expect: Expect, ratios: list[float], verdict: str) -> None:
    part = changed(FASTER, expect=expect, printed=Printed("0.8 s", "1 s"))
    found = one(record_with(ratios), part)
    assert (found.verdict, found.leans) == (verdict, None)
    assert found.evidence is not None
    assert found.evidence.compared[0].count == 12


@pytest.mark.parametrize(
    ("expect", "verdict"),
    [
        (Expect(value_at_most="900 ms"), "holds"),
        (Expect(value_at_most="700 ms"), "does not hold"),
        (Expect(value_at_most="805 ms"), "too close to call"),
        (Expect(value_at_least="700 ms"), "holds"),
        (Expect(value_at_least="0.9 s"), "does not hold"),
        (Expect(value_within=("700 ms", "900 ms")), "holds"),
        (Expect(value_within=("850 ms", "900 ms")), "does not hold"),
        (Expect(value_within=("805 ms", "900 ms")), "too close to call"),
    ],
)
def test_a_value_is_judged_by_where_its_interval_lies(expect: Expect, verdict: str) -> None:
    found = one(record_with(FAST), changed(FASTER, baseline="", expect=expect))
    assert found.verdict == verdict


@pytest.mark.parametrize(
    ("counts", "verdict"), [([5] * 12, "holds"), ([4] * 12, "does not hold"), ([5] * 11 + [4], "too close to call")]
)
def test_a_count_that_does_not_vary_is_judged_exactly(counts: list[float], verdict: str) -> None:
    record = with_values("unbounded", counts, column="depth_max_count")(make(SCENARIOS))
    found = one(record, COUNT)
    assert found.verdict == verdict
    assert found.evidence is not None
    assert (found.evidence.signs is None) == (len({*counts}) == 1)


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
    assert one(record, STEPS).verdict == verdict


@pytest.mark.parametrize(
    ("expect", "ratios", "verdict"),
    [
        (Expect(ratio_below=1), FAST, "holds"),
        (Expect(ratio_above=1), FAST, "does not hold"),
        (Expect(ratio_within=0.10), SLOW, "does not hold"),
    ],
)
def test_no_difference_is_decided_that_the_baseline_has_from_itself(
    expect: Expect, ratios: list[float], verdict: str
) -> None:
    assert one(record_with(ratios, noise=0.1), changed(FASTER, expect=expect)).verdict == verdict
    found = one(record_with(ratios, noise=0.3), changed(FASTER, expect=expect))
    assert (found.verdict, found.leans) == ("too close to call", verdict)
    assert "inside the noise" in found.reason


@pytest.mark.parametrize("expect", [Expect(ratio_within=0.10), Expect(ratio_above=0.5), Expect(ratio_below=0.5)])
def test_noise_does_not_undo_what_claims_no_difference(expect: Expect) -> None:
    quiet = one(record_with(EVEN), changed(FASTER, expect=expect))
    assert quiet.verdict in {"holds", "does not hold"}
    assert one(record_with(EVEN, noise=0.3), changed(FASTER, expect=expect)).verdict == quiet.verdict
