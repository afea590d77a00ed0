"""Rows of synthetic results: right numbers in the right rows, and nothing that a file holds is dropped."""

import math
from dataclasses import replace
from operator import attrgetter
from statistics import median
from types import SimpleNamespace
from typing import Any

import pytest
from factory import Plan, altered, build, make_record, with_facts
from frames import (
    PRIMES,
    SCENARIOS,
    as_rows,
    by_round,
    impossible,
    is_subject,
    list_values,
    make_file,
    make_files,
    make_rows,
    pooled,
    row,
)

from generate.data.between_runs import BetweenRuns, Compared
from generate.data.estimates import Estimate, RunRounds, pool
from generate.data.gate import check_records
from generate.data.selection import pool_results
from generate.data.table import PER_ROUND, sample_columns, sample_rows, summarise
from runners.harness.measure import GIL_REENABLED
from runners.harness.record.build_names import build_name
from runners.harness.record.model import Record

NO_TABLE = BetweenRuns()


def by_hand(*runs: list[float], compared: Compared) -> Estimate:
    """Return what six or more rounds a run come to without any table."""
    default = {"value": 0.2**2, "within": 0.05**2, "across": 0.03**2}[compared]
    estimate = pool([RunRounds(str(number), rounds) for number, rounds in enumerate(runs)], default)
    assert estimate is not None
    return estimate


def paired(values: dict[int, Any], base: dict[int, Any]) -> list[float]:
    return [values[number] / base[number] for number in values]


def samples(*records: Record) -> list[Any]:
    results = pooled(check_records(make_files(*records), SCENARIOS))["primes"]
    return [
        SimpleNamespace(**row | {name: row[name][place] for name in PER_ROUND})
        for row in sample_rows(results, "primes")
        for place in range(len(row["round"]))
    ]


def test_one_row_a_result_series_and_metric_in_order() -> None:
    records = [make_record(SCENARIOS, Plan(build=each)) for each in (build("3.13.1"), build("3.14.0"))]
    rows, key = make_rows(*records), attrgetter("scenario", "case", "runner", "role", "metric")
    for record in records:
        expected = [
            (*series.key, metric.name)
            for series in record.series
            if series.role != "reference"
            for metric in SCENARIOS[series.scenario].metrics
        ]
        assert sorted(key(each) for each in rows if each.build == build_name(record.build)) == sorted(expected)


def test_values_and_ratios_are_estimates_over_all_runs() -> None:
    records = [make_record(SCENARIOS, Plan(run_id=f"r{n}", seed=n, speed={"process_pool": 0.6})) for n in range(3)]
    seen = row(make_rows(*records), "process_pool")
    values = [list_values(record, "process_pool") for record in records]
    value = by_hand(*([*each.values()] for each in values), compared="value")
    ratio = by_hand(
        *(paired(each, list_values(record, "sync_loop")) for each, record in zip(values, records, strict=True)),
        compared="within",
    )
    across = by_hand(
        *(
            paired(each, list_values(record, "process_pool", "reference"))
            for each, record in zip(values, records, strict=True)
        ),
        compared="across",
    )
    assert (seen.estimate, seen.low, seen.high) == pytest.approx((value.value, value.low, value.high))
    assert (seen.ratio, seen.ratio_another_low) == pytest.approx((ratio.value, ratio.another_low))
    assert (seen.reference_ratio, seen.reference_ratio_high) == pytest.approx((across.value, across.high))
    assert (seen.runs, seen.rounds, seen.ratio_runs, seen.ratio_rounds, seen.ratio_decides) == (3, 36, 3, 36, True)
    assert {*seen.run_ids.split()} == {"r0", "r1", "r2"}


def test_ideal_and_efficiency_come_from_the_rounds_baseline() -> None:
    record = make_record(SCENARIOS, Plan(cores=2))
    seen = row(make_rows(record), "process_pool")
    ideals = {number: jobs / 2 for number, jobs in list_values(record, "sync_loop", name="all_jobs_ns").items()}
    shares = [ideals[number] / measured for number, measured in list_values(record, "process_pool").items()]
    assert seen.ideal == pytest.approx(median(ideals.values()))
    assert seen.efficiency == pytest.approx(median(shares))
    assert row(make_rows(record), "process_pool", metric="longest_job_ns").ideal is None


def test_a_block_of_several_cases_has_one_baseline() -> None:
    first = SCENARIOS["primes"].cases[PRIMES]
    cases = {PRIMES: first._replace(block="both"), "second": first._replace(block="both")}
    scenarios = {"primes": replace(SCENARIOS["primes"], cases=cases)}
    record = make_record(scenarios)
    (result,) = pool_results(scenarios["primes"], check_records([make_file(record)], scenarios), NO_TABLE).values()
    rows = [each for each in as_rows(summarise(result, "primes")) if each.metric == "elapsed_ns"]
    assert {each.block for each in rows} == {"both"}
    assert [each.role for each in rows].count("control") == 1
    second = row(rows, "thread_pool", case="second")
    values = {series.case + series.runner: by_round(series) for series in record.series if series.role == "subject"}
    expected = by_hand(paired(values["secondthread_pool"], values[f"{PRIMES}sync_loop"]), compared="within")
    assert second.ratio == pytest.approx(expected.value)
    assert second.baseline == f"{PRIMES}/sync_loop"


def lose_two(series: dict[str, Any]) -> None:
    series["samples"]["status"][:2] = ["failed", "timed_out"]
    series["samples"]["values"]["elapsed_ns"][0] = 1
    series["samples"]["values"]["elapsed_ns"][2] = None
    series["status"] = "partial"


def test_a_run_with_failed_rounds_shows_but_decides_nothing() -> None:
    rows = make_rows(altered(make_record(SCENARIOS), is_subject("sync_loop"), lose_two))
    assert (row(rows, "sync_loop").rounds, row(rows, "sync_loop").status) == (9, "partial")
    against = row(rows, "thread_pool")
    assert (against.rounds, against.decides) == (12, True)
    assert (against.ratio_rounds, against.ratio_decides) == (9, False)


def test_a_rejected_series_is_failed_and_compared_with_nothing() -> None:
    broken = altered(make_record(SCENARIOS), is_subject("thread_pool"), impossible)
    seen = row(make_rows(broken), "thread_pool")
    assert seen.status == "failed"
    assert seen.reason.startswith("rejected by the sanity gate: round 1: 1e+04 s of processor time")
    assert seen.rounds == 0
    assert (seen.estimate, seen.ratio, seen.efficiency, seen.reference_ratio) == (None,) * 4
    assert row(make_rows(broken), "process_pool").ratio_rounds == 12


def spoil(*rounds: int) -> Any:  # noqa: ANN401 - a function for `altered`
    def change(series: dict[str, Any]) -> None:
        for number in rounds:
            series["samples"]["values"]["cpu_us"][number - 1] = 10**10

    return change


def test_a_run_with_a_rejected_round_decides_nothing() -> None:
    record = altered(make_record(SCENARIOS), is_subject("thread_pool"), spoil(3))
    seen = row(make_rows(record), "thread_pool")
    assert (seen.status, seen.rounds, seen.ratio_rounds, seen.ratio_decides) == ("ok", 11, 11, False)
    assert seen.note.startswith("the sanity gate rejected 1 round: 1e+04 s of processor time")
    sample = next(
        each
        for each in samples(record)
        if (each.runner, each.role, each.metric, each.round) == ("thread_pool", "subject", "elapsed_ns", 3)
    )
    assert sample.sample_status == "failed"
    assert "processor time" in sample.sample_reason
    assert math.isnan(sample.value)


def test_a_baseline_that_lost_a_round_is_the_reason_of_others() -> None:
    record = altered(make_record(SCENARIOS), is_subject("sync_loop"), spoil(3))
    seen = row(make_rows(record), "thread_pool")
    assert (seen.rounds, seen.decides, seen.ratio_decides) == (12, True, False)
    assert seen.note == "no ratio is decided: the baseline lacks a round in every run"
    assert row(make_rows(with_facts(record, machine={"load_before": 9.0})), "thread_pool").note is None


def test_every_sample_of_every_run_has_a_row() -> None:
    records = [make_record(SCENARIOS, Plan(rounds=3, run_id=run)) for run in ("one", "two")]
    rows = samples(*records)
    assert rows[0].__dict__.keys() == sample_columns().keys()
    series = [each for each in records[0].series if each.scenario == "primes" and each.role != "reference"]
    assert len(rows) == 2 * len(series) * 3 * len(SCENARIOS["primes"].metrics)
    wanted = ("two", "process_pool", "subject", "elapsed_ns", PRIMES)
    seen = {
        each.round: each.value
        for each in rows
        if (each.run_id, each.runner, each.role, each.metric, each.case) == wanted
    }
    assert seen == list_values(records[1], "process_pool")
    assert {each.path for each in rows} == {"0.json", "1.json"}


@pytest.mark.parametrize(
    ("status", "reason", "shown"),
    [
        ("unsupported", "no wheel", "unsupported"),
        ("timed_out", "after 60 s", "timed_out"),
        ("failed", GIL_REENABLED[0], "unsupported"),
        ("failed", GIL_REENABLED[1], "failed"),
    ],
)
def test_missing_results_keep_their_reason(status: str, reason: str, shown: str) -> None:
    def fail(series: dict[str, Any]) -> None:
        series["samples"].update(status=[status] * 12, reason=[reason] * 12, values={})
        series.update(status=status, reason=reason)

    missing = row(make_rows(altered(make_record(SCENARIOS), is_subject("thread_pool"), fail)), "thread_pool")
    assert (missing.status, missing.reason) == (shown, reason)
    assert (missing.rounds, missing.ratio_rounds, missing.ratio_decides) == (0, 0, False)
    assert (missing.estimate, missing.low, missing.high, missing.ratio, missing.efficiency) == (None,) * 5


def test_a_complete_run_replaces_one_that_lost_rounds() -> None:
    broken = altered(make_record(SCENARIOS, Plan(run_id="broken")), is_subject("thread_pool"), lose_two)
    complete = row(make_rows(broken, make_record(SCENARIOS, Plan(run_id="complete"))), "thread_pool")
    assert (complete.status, complete.runs, complete.rounds) == ("ok", 1, 12)
    assert complete.note.startswith("left out 1 run of 2")
    cut = make_record(SCENARIOS, Plan(run_id="cut", status={"thread_pool": "not_reached"}))
    reached = row(make_rows(cut, make_record(SCENARIOS, Plan(run_id="complete"))), "thread_pool")
    assert (reached.status, reached.runs, reached.note) == ("ok", 1, None)
