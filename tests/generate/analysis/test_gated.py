"""What may decide: a full run, and series that failed in no round."""

from __future__ import annotations

from typing import Any

import pytest
from factory import Plan, altered, make, some_scenarios

from generate.analysis.gated import decides

SCENARIOS = some_scenarios()


def failed_once(series: dict[str, Any]) -> None:
    series["samples"]["status"][3] = "timed_out"
    series["samples"]["reason"][3] = "too slow"


@pytest.mark.parametrize(("profile", "expected"), [("full", True), ("quick", False)])
def test_a_quick_run_never_decides_however_many_rounds_it_has(profile: str, *, expected: bool) -> None:
    record = make(SCENARIOS, Plan(profile=profile, rounds=12))
    assert decides(record, *record.series[:2]) is expected


def test_a_series_that_failed_in_a_round_decides_nothing() -> None:
    record = make(SCENARIOS, Plan())
    record = altered(record, lambda series: series.runner == "thread_pool", failed_once)
    by_runner = {series.runner: series for series in record.series if series.role == "subject"}
    assert decides(record, by_runner["sync_loop"], by_runner["process_pool"])
    assert not decides(record, by_runner["sync_loop"], by_runner["thread_pool"])
    assert not decides(record, by_runner["sync_loop"], None)
