"""What of one file can be true, and whether its run counts."""

from __future__ import annotations

from statistics import fmean, variance
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from factory import Plan, altered, build, make_record
from frames import SCENARIOS, file_of, impossible, is_subject
from msgspec import structs

from generate.data.gate import CheckedRecord, check_records
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from runners.harness.record.model import Record, Series

TIME = SCENARIOS["primes"].metrics[0]
FREE, PLAIN = build("3.14.0", free_threaded=True), build("3.14.0")


def checked(record: Record) -> CheckedRecord:
    (one,) = check_records([file_of(record)], SCENARIOS)
    return one


def series(one: CheckedRecord, runner: str, role: Any = "subject") -> Series:  # noqa: ANN401 - a role
    return one.view.series[SeriesKey("primes", "published", runner, role)]


@pytest.mark.parametrize(
    ("part", "facts", "reason"),
    [
        ("machine", {"load_before": 2.0, "steal_share": 0.01}, ""),
        ("machine", {"load_before": None, "steal_share": None}, ""),
        ("machine", {"load_before": 2.6}, "the machine was busy: load 2.6 on 2 cores before the first sample"),
        ("machine", {"load_before": 1e6}, "the machine was busy: load 1000000.0"),
        ("machine", {"steal_share": 0.018}, "the machine was busy: its host kept 1.8"),
        ("run", {"finished": "2025-12-31T23:59:59Z"}, "its clock ran backwards: begun 2026-01-01"),
        ("run", {"finished": None}, ""),
        ("build", {"flags": "--with-pydebug"}, "a debug build"),
    ],
)
def test_only_a_disturbed_run_is_excluded_with_its_reason(part: str, facts: dict[str, Any], reason: str) -> None:
    record = make_record({"primes": SCENARIOS["primes"]}, Plan(rounds=1))
    changed = structs.replace(record, **{part: structs.replace(getattr(record, part), **facts)})
    why = checked(changed).why_excluded
    assert why.startswith(reason)
    assert bool(why) == bool(reason)


def test_a_rejected_round_is_missing_from_values_and_ratios() -> None:
    def spoil(of: dict[str, Any]) -> None:
        of["samples"]["values"]["cpu_us"][2] = 10**10

    one = checked(altered(make_record(SCENARIOS), is_subject("thread_pool"), spoil))
    pool, base = series(one, "thread_pool"), series(one, "sync_loop")
    assert [*one.by_round(pool, TIME)] == [1, 2, *range(4, 13)]
    values, bases = one.by_round(pool, TIME), one.by_round(base, TIME)
    assert one.ratios(pool, base, TIME) == [values[number] / bases[number] for number in values]
    assert len(one.ratios(base, pool, TIME)) == 11


def test_a_baseline_of_zero_has_no_ratios() -> None:
    metric = SCENARIOS["primes"].metrics[0]

    def stop(of: dict[str, Any]) -> None:
        of["samples"]["values"][metric.name][4] = 0

    one = checked(make_record(SCENARIOS))
    base = series(checked(altered(make_record(SCENARIOS), is_subject("sync_loop"), stop)), "sync_loop")
    broken = CheckedRecord(one.file, one.view, {}, {})
    assert broken.ratios(series(one, "thread_pool"), base, metric) == []


def test_block_variance_is_a_mean_over_its_series() -> None:
    one = checked(make_record({"primes": SCENARIOS["primes"]}, Plan(rounds=5)))
    pool = series(one, "thread_pool")
    own = [each for each in one.view.in_block("primes", "published") if each.role != "reference"]
    values = [variance(np.log([*one.by_round(each, TIME).values()])) for each in own]
    assert one.block_variance(pool, TIME, "value") == pytest.approx(fmean(values))
    base = series(one, "sync_loop")
    ratios = [variance(np.log(one.ratios(each, base, TIME))) for each in own if each is not base]
    assert one.block_variance(pool, TIME, "within") == pytest.approx(fmean(ratios))
    assert one.block_variance(pool, TIME, "across") is not None
    single = checked(make_record({"primes": SCENARIOS["primes"]}, Plan(rounds=1)))
    assert single.block_variance(series(single, "thread_pool"), TIME, "value") is None


def test_a_rejected_baseline_gives_no_ideal() -> None:
    one = checked(altered(make_record(SCENARIOS), is_subject("sync_loop"), impossible))
    assert one.ideal_by_round(series(one, "thread_pool"), TIME) == {}
    complete = checked(make_record(SCENARIOS))
    assert len(complete.ideal_by_round(series(complete, "thread_pool"), TIME)) == 12
    assert complete.ideal_by_round(series(complete, "thread_pool"), SCENARIOS["primes"].metrics[1]) == {}
