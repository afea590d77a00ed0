"""Frames of synthetic records: right numbers in the right rows."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from factory import REFERENCE, Plan, altered, build, make
from frames import KEYS, PRIMES, SCENARIOS, by_round, file_of, files_of, frame_of, is_subject, row, values_of
from msgspec import structs

from generate.analysis.gated import apply_gate
from generate.analysis.summaries import sample_frame, summarise, to_frame
from generate.analysis.summary import SampleValue, Summary
from generate.results.reference import beside
from generate.statistics.intervals import compare, median_interval
from generate.statistics.noise import distance
from runners.harness.record.build_names import build_name
from runners.harness.record.model import SeriesKey


def test_there_is_one_row_a_file_series_and_metric_in_their_order_and_none_of_the_reference_build_s() -> None:
    records = [make(SCENARIOS, Plan(run_id=f"r{number}")) for number in (1, 2)]
    frame = frame_of(*records)
    expected = [
        (f"{number}.json", *series.key, metric.name)
        for number, record in enumerate(records)
        for series in record.series
        if series.role != "reference"
        for metric in SCENARIOS[series.scenario].metrics
    ]
    assert list(frame[["path", *KEYS]].itertuples(index=False, name=None)) == expected


def test_the_columns_are_those_of_a_summary_and_what_is_absent_is_none_or_no_number() -> None:
    frame = frame_of(make(SCENARIOS, Plan(status={"thread_pool": "failed"})))
    assert list(frame.columns) == [*Summary.__struct_fields__]
    assert row(frame, "process_pool").reason is None
    assert np.isnan(row(frame, "thread_pool")["median"])
    kinds = {name: frame[name].dtype for name in ("ratio_decided", "local", "rounds", "median", "family")}
    assert kinds == {"ratio_decided": bool, "local": bool, "rounds": int, "median": float, "family": object}


def test_what_the_file_says_of_itself_is_in_each_of_its_rows() -> None:
    record = make(SCENARIOS, Plan(machine="Big Box #1", build=build("3.14.0", free_threaded=True)))
    found = row(frame_of(record), "thread_pool")
    assert found.cell == "big-box-1-9db0102d-cpython-3.14.0t"
    assert (found.machine, found.build) == ("Big Box #1", "cpython-3.14.0t")
    assert (found.family, found.better, found.unit) == ("threads", "lower", "ns")
    assert found.title == "Time for all eight numbers"
    assert (found.block, found.run_id, found.profile) == (PRIMES, "fixture-1", "full")
    assert found.is_current
    assert found.scenario_is_current


def test_a_round_without_the_value_decides_nothing_in_tables_and_in_sentences() -> None:
    def lose_one(series: dict[str, Any]) -> None:
        series["samples"]["values"]["elapsed_ns"][0] = None

    whole = make(SCENARIOS, Plan(build=REFERENCE, speed={"process_pool": 0.5}))
    broken = altered(whole, is_subject("process_pool"), lose_one)
    for record, decides in ((whole, True), (broken, False)):
        [gated] = apply_gate([file_of(record)], SCENARIOS)
        series = gated.view.series[SeriesKey("primes", "published", "process_pool", "subject")]
        baseline = gated.view.baseline(series)
        assert baseline is not None
        compared = gated.compared(series, baseline, gated.view.metrics(series)[0])
        assert compared is not None
        assert compared.decided == row(frame_of(record), "process_pool").ratio_decided == decides


def test_median_and_interval_are_those_of_the_samples() -> None:
    record = make(SCENARIOS)
    found = row(frame_of(record), "process_pool")
    alone = median_interval(list(values_of(record, "process_pool").values()))
    assert (found["median"], found.low, found.high, found.coverage) == (
        alone.median,
        alone.low,
        alone.high,
        alone.coverage,
    )
    assert found.rounds == 12


def test_a_ratio_is_paired_by_round_with_the_baseline_of_the_same_build() -> None:
    record = make(SCENARIOS, Plan(speed={"process_pool": 0.6}))
    frame = frame_of(record)
    expected = compare(values_of(record, "process_pool"), values_of(record, "sync_loop"))
    found = row(frame, "process_pool")
    assert expected is not None
    assert (found.ratio, found.ratio_low, found.ratio_high) == (expected.ratio, expected.low, expected.high)
    assert (found.ratio_pairs, found.ratio_decided) == (12, True)
    assert found.ratio == pytest.approx(0.6, rel=0.1)
    assert row(frame, "sync_loop").ratio == 1


def test_the_control_s_ratio_is_the_noise_of_each_row_of_its_block() -> None:
    frame = frame_of(make(SCENARIOS))
    control = row(frame, "sync_loop", "control")
    for runner in ("sync_loop", "thread_pool", "process_pool"):
        found = row(frame, runner)
        assert (found.noise_low, found.noise_high) == (control.ratio_low, control.ratio_high)
    assert row(frame, "process_pool").noise_ratio == control.ratio
    assert control.noise_high == control.ratio_high


def test_the_noise_reaches_as_far_both_ways_as_its_interval_does_one_way() -> None:
    frame = frame_of(make(SCENARIOS)).dropna(subset="noise_low")
    farther = pd.concat([frame["noise_high"], 1 / frame["noise_low"]], axis=1).max(axis=1)
    pd.testing.assert_series_equal(frame["noise_reach"], farther, check_names=False)
    assert (frame["noise_reach"] > frame["noise_high"]).any()


def test_the_noise_of_a_thread_is_the_farther_of_two_controls() -> None:
    frame = frame_of(make(SCENARIOS))
    controls = row(frame, "sync_loop", "control").ratio, row(frame, SCENARIOS["primes"].second_control).ratio
    assert row(frame, "thread_pool").noise_ratio == max(controls, key=distance)
    assert controls[0] != controls[1]


def test_the_ratio_to_the_reference_build_is_paired_by_round_too() -> None:
    record = make(SCENARIOS, Plan(speed={"thread_pool": 0.8}))
    expected = compare(values_of(record, "thread_pool"), values_of(record, "thread_pool", "reference"))
    found = row(frame_of(record), "thread_pool")
    assert expected is not None
    assert (found.reference_ratio, found.reference_ratio_low) == (expected.ratio, expected.low)
    assert found.reference_ratio_decided
    own = row(frame_of(make(SCENARIOS, Plan(build=REFERENCE))), "thread_pool")
    assert (own.reference_ratio, own.reference_ratio_low, own.reference_ratio_high) == (1, 1, 1)


def test_what_a_series_is_to_itself_decides_nothing() -> None:
    frame = frame_of(make(SCENARIOS, Plan(build=REFERENCE)))
    assert not frame.reference_ratio_decided.any()
    assert not row(frame, "sync_loop").ratio_decided
    assert row(frame, "thread_pool").ratio_decided
    assert frame_of(make(SCENARIOS)).reference_ratio_decided.any()


def test_a_control_has_no_ratio_to_the_reference_build() -> None:
    of_controls = frame_of(make(SCENARIOS)).query("role == 'control'")
    assert of_controls["ratio"].notna().any()
    assert of_controls["reference_ratio"].isna().all()


def test_each_row_says_which_build_its_ratio_is_to_and_where_that_build_s_series_lie() -> None:
    plain, own = make(SCENARIOS), make(SCENARIOS, Plan(build=REFERENCE))
    without = structs.replace(plain, series=[series for series in plain.series if series.role != "reference"])
    frame = to_frame(summarise(apply_gate(beside(files_of(plain, without, own)), SCENARIOS)))
    assert {*frame.reference_build} == {build_name(REFERENCE)}
    found = frame.groupby("path")["reference_path"].agg(set).to_dict()
    assert found == {"0.json": {"0.json"}, "1.json": {"2.json"}, "2.json": {"2.json"}}
    assert {*frame_of(without)["reference_path"]} == {None}


def test_the_ideal_comes_from_the_round_s_baseline_and_the_efficiency_is_the_share_of_it_that_was_reached() -> None:
    record = make(SCENARIOS, Plan(cores=2))
    found = row(frame_of(record), "process_pool")
    ideals = {number: jobs / 2 for number, jobs in values_of(record, "sync_loop", name="all_jobs_ns").items()}
    shares = [ideals[number] / measured for number, measured in values_of(record, "process_pool").items()]
    assert found.ideal == pytest.approx(np.median(list(ideals.values())))
    assert found.efficiency == pytest.approx(np.median(shares))
    assert np.isnan(row(frame_of(record), "process_pool", metric="longest_job_ns").ideal)


def test_a_server_s_ideal_is_by_its_own_limit_and_higher_is_better_there() -> None:
    frame = frame_of(make(SCENARIOS))
    one = row(frame, "http_server_fair", metric="requests_per_s", case="tenth")
    many = row(frame, "aiohttp_awaiting", metric="requests_per_s", case="tenth")
    assert many.ideal == pytest.approx(12 * one.ideal)
    assert one.efficiency == pytest.approx(one["median"] / one.ideal)
    assert 0.8 < many.efficiency < 1


def test_no_files_make_frames_with_the_same_columns() -> None:
    pd.testing.assert_frame_equal(to_frame([]), frame_of(make(SCENARIOS)).iloc[:0])
    assert summarise([]) == []
    of_none, of_one = (
        sample_frame(apply_gate(files, SCENARIOS), "primes") for files in ([], [file_of(make(SCENARIOS))])
    )
    pd.testing.assert_frame_equal(of_none, of_one.iloc[:0])
    assert list(of_none.columns) == [field.name for field in fields(SampleValue)]


def test_the_samples_of_one_scenario_have_a_row_for_each_sample_and_metric() -> None:
    record = make(SCENARIOS, Plan(rounds=3))
    rows = [*sample_frame(apply_gate([file_of(record)], SCENARIOS), "primes").itertuples()]
    series = [one for one in record.series if one.scenario == "primes" and one.role != "reference"]
    assert len(rows) == len(series) * 3 * len(SCENARIOS["primes"].metrics)
    assert {row.scenario for row in rows} == {"primes"}
    of_pool = ("process_pool", "subject", "elapsed_ns", PRIMES)
    found = {row.round: row.value for row in rows if (row.runner, row.role, row.metric, row.case) == of_pool}
    assert found == values_of(record, "process_pool")


def test_a_block_of_several_cases_has_one_baseline_and_one_control() -> None:
    first = SCENARIOS["primes"].cases[PRIMES]
    cases = {PRIMES: first._replace(block="both"), "second": first._replace(block="both")}
    scenarios = {"primes": replace(SCENARIOS["primes"], cases=cases)}
    record = make(scenarios)
    frame = to_frame(summarise(apply_gate([file_of(record)], scenarios))).query("metric == 'elapsed_ns'")
    assert set(frame["block"]) == {"both"}
    assert len(frame.query("role == 'control'")) == 1
    assert len(set(frame["noise_low"])) == 1
    second = frame.query("case == 'second' and runner == 'thread_pool'").iloc[0]
    values = {series.case + series.runner: by_round(series) for series in record.series if series.role == "subject"}
    expected = compare(values["secondthread_pool"], values[f"{PRIMES}sync_loop"])
    assert expected is not None
    assert second.ratio == expected.ratio
