"""The CSV files: complete, readable back, and harmless in a spreadsheet."""

from __future__ import annotations

import io
from typing import Any

import pandas as pd
import pytest
from factory import Plan, altered, make, some_scenarios

from generate.export import sample_tables, summary_tables
from generate.load import ResultFile
from generate.tidy import Seen, look, summaries

SCENARIOS = some_scenarios()


@pytest.fixture(scope="module")
def seen() -> list[Seen]:
    def fail(series: dict[str, Any]) -> None:
        series["samples"]["status"][0] = "failed"
        series["samples"]["reason"][0] = '=cmd|"/c calc"!A1, or\nworse'
        series["reason"] = "@SUM(1)"

    record = make(SCENARIOS, Plan(rounds=3, machine="-2+3, a host"))
    record = altered(record, lambda series: (series.runner, series.role) == ("thread_pool", "subject"), fail)
    return look([ResultFile("a.json", record, "0" * 64, local=False, size_bytes=1)], SCENARIOS)


def read(table: bytes) -> pd.DataFrame:
    return pd.read_csv(io.BytesIO(table))


def test_each_scenario_has_its_summaries_and_the_whole_has_them_all(seen: list[Seen]) -> None:
    frame = summaries(seen)
    tables = summary_tables(frame)
    assert list(tables) == ["data/blocking_server.csv", "data/primes.csv", "data/summaries.csv"]
    parts = [read(tables["data/blocking_server.csv"]), read(tables["data/primes.csv"])]
    pd.testing.assert_frame_equal(
        read(tables["data/summaries.csv"]), pd.concat(parts, ignore_index=True), check_dtype=False
    )
    assert len(read(tables["data/summaries.csv"])) == len(frame)
    assert list(parts[1].columns) == list(frame.columns)


def test_numbers_are_read_back_as_they_were_and_what_is_missing_is_empty(seen: list[Seen]) -> None:
    frame = summaries(seen)
    back = read(summary_tables(frame)["data/primes.csv"])
    own = frame[frame["scenario"] == "primes"].reset_index(drop=True)
    for name in ("median", "ratio_low", "efficiency", "ratio_pairs"):
        pd.testing.assert_series_equal(back[name], own[name])
    assert b"None" not in summary_tables(frame)["data/primes.csv"]
    assert b"nan" not in summary_tables(frame)["data/primes.csv"].lower()


def test_no_text_begins_as_a_formula_does_and_numbers_are_left_alone(seen: list[Seen]) -> None:
    back = read(summary_tables(summaries(seen))["data/primes.csv"])
    assert set(back["machine"]) == {"'-2+3, a host"}
    assert "'@SUM(1)" in set(back["reason"])
    samples = read(sample_tables(seen)["data/primes-samples.csv"])
    assert '\'=cmd|"/c calc"!A1, or\nworse' in set(samples["sample_reason"])
    assert samples["value"].dtype == float


def test_each_scenario_has_its_samples_those_that_failed_included(seen: list[Seen]) -> None:
    tables = sample_tables(seen)
    assert list(tables) == ["data/blocking_server-samples.csv", "data/primes-samples.csv"]
    rows = read(tables["data/primes-samples.csv"])
    series = [one for one in seen[0].file.record.series if one.scenario == "primes"]
    assert len(rows) == 3 * len(series) * len(SCENARIOS["primes"].metrics)
    failed = rows[(rows["sample_status"] == "failed") & (rows["metric"] == "elapsed_ns")]
    assert len(failed) == 1
    assert failed["value"].isna().all()


def test_the_same_results_give_the_same_bytes_and_none_give_a_header(seen: list[Seen]) -> None:
    assert summary_tables(summaries(seen)) == summary_tables(summaries(seen))
    empty = summary_tables(summaries([]))
    assert list(empty) == ["data/summaries.csv"]
    assert empty["data/summaries.csv"].startswith(b"path,cell,machine,build,")
    assert sample_tables([]) == {}
