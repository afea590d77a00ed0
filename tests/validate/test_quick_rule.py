"""What the trial of the rule for few rounds counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import quick_rule
from factory import REFERENCE, Plan, altered, make, some_scenarios
from frames import file_of
from msgspec.structs import replace

from generate.analysis.gated import apply_gate
from generate.results.validation import QuickRule

if TYPE_CHECKING:
    from runners.harness.record.model import Record

SCENARIOS = {"primes": some_scenarios()["primes"]}
CASE = "published"


def tallied(record: Record) -> QuickRule:
    of_case = [series for series in record.series if series.case == CASE]
    return quick_rule.tally(apply_gate([file_of(replace(record, series=of_case))], SCENARIOS), "fixture")


def test_each_window_counts_once_and_a_plain_difference_is_seen_the_right_way() -> None:
    found = tallied(make(SCENARIOS, Plan(build=REFERENCE, rounds=12, speed={"thread_pool": 2.0})))
    assert (found.controls, found.false_alarms) == (4, 0)
    assert (found.plain, found.seen, found.wrong_way) == (4, 4, 0)
    assert tallied(make(SCENARIOS, Plan(build=REFERENCE, rounds=11))).controls == 3


def test_a_control_that_is_always_slower_is_a_false_alarm_in_each_window() -> None:
    def slow(series: dict[str, Any]) -> None:
        series["samples"]["values"]["elapsed_ns"] = [3 * value for value in series["samples"]["values"]["elapsed_ns"]]

    record = altered(make(SCENARIOS, Plan(build=REFERENCE)), lambda series: series.role == "control", slow)
    assert tallied(record).false_alarms == 4


def test_a_difference_of_threads_is_seen_only_beyond_the_second_control() -> None:
    def seen(**speed: float) -> int:
        return tallied(make(SCENARIOS, Plan(build=REFERENCE, speed=speed))).seen

    assert seen(one_thread=3.0, thread_pool=2.0) == 4  # those of the second control itself
    assert seen(one_thread=2.0, thread_pool=3.0) == 8


def trial(spacing: str, rule: str, *runs: str, controls: int = 5) -> QuickRule:
    return QuickRule(spacing, controls, 1, 2 * controls, controls, 1, rule, runs)


def test_trials_of_one_rule_at_one_spacing_add_up_and_no_others() -> None:
    tried = trial("near", "rule", "third", controls=10)
    others = [trial("far", "rule", "first"), trial("near", "another rule", "first"), trial("near", "rule")]
    assert quick_rule.with_earlier(tried, others) == tried
    twice = quick_rule.with_earlier(tried, [*others, trial("near", "rule", "first", "second", controls=4)])
    assert twice == QuickRule("near", 14, 2, 28, 14, 2, "rule", ("first", "second", "third"))


def test_no_run_is_counted_twice() -> None:
    with pytest.raises(quick_rule.CountedError, match="counted already: first; try a run that is not in docs/"):
        quick_rule.with_earlier(trial("near", "rule", "first"), [trial("near", "rule", "first", "second")])
