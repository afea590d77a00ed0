"""The tables: complete, readable back, and harmless in a spreadsheet."""

from __future__ import annotations

import csv
import gzip
import io
import math
from typing import TYPE_CHECKING, Any

import duckdb
import pandas as pd
import pytest
from factory import Plan, altered, build, make
from frames import SCENARIOS, file_of, frame_of_gated, pooled
from msgspec import structs

from generate.data.gate import CheckedRecord, check_records
from generate.downloads import tables
from generate.downloads.tables import sample_tables, summary_tables
from runners.harness.record.model import Package

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def seen() -> list[CheckedRecord]:
    def fail(series: dict[str, Any]) -> None:
        series["samples"]["status"][0] = "failed"
        series["samples"]["reason"][0] = '=cmd|"/c calc"!A1, or\nworse'
        series["reason"] = "@SUM(1)"

    record = make(SCENARIOS, Plan(rounds=3, machine="-2+3, a host"))
    record = altered(record, lambda series: (series.runner, series.role) == ("thread_pool", "subject"), fail)
    return check_records([file_of(record)], SCENARIOS)


def read(table: bytes) -> pd.DataFrame:
    return pd.read_csv(io.BytesIO(table))


def packed(table: bytes) -> pd.DataFrame:
    return read(gzip.decompress(table))


def columnar(table: bytes, tmp_path: Path) -> list[dict[str, Any]]:
    path = tmp_path / "table.parquet"
    path.write_bytes(table)
    with duckdb.connect() as database:
        found = database.read_parquet(str(path))
        return [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]


def test_each_scenario_has_its_summaries(seen: list[CheckedRecord]) -> None:
    frame = frame_of_gated(seen)
    made = summary_tables(frame)
    names = ("summaries", "blocking_server", "primes")
    assert made.keys() == {f"{name}.{kind}" for name in names for kind in ("csv", "parquet")}
    assert len(read(made["summaries.csv"])) == len(frame)
    assert sum(len(read(made[f"{name}.csv"])) for name in ("blocking_server", "primes")) == len(frame)
    assert list(read(made["primes.csv"]).columns) == list(frame.columns)


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_no_cell_begins_with_a_sign_that_a_spreadsheet_runs(sign: str) -> None:
    texts = pd.Series([f"{sign}1+1", None, f"1{sign}1"], dtype=object)
    frame = pd.DataFrame({"text": texts, "number": [-1.5, math.nan, 2.0]})
    back = list(csv.reader(io.StringIO(tables.csv(frame).decode(), newline="")))
    read = sign.replace("\r", "\n")
    assert back == [["text", "number"], [f"'{read}1+1", "-1.5"], ["", ""], [f"1{read}1", "2.0"]]


def test_numbers_are_read_back_and_missing_ones_are_empty(seen: list[CheckedRecord]) -> None:
    frame = frame_of_gated(seen)
    back = read(summary_tables(frame)["primes.csv"])
    own = frame[frame["scenario"] == "primes"].reset_index(drop=True)
    for name in ("estimate", "ratio_low", "efficiency", "ratio_rounds"):
        pd.testing.assert_series_equal(back[name], own[name])
    assert b"None" not in summary_tables(frame)["primes.csv"]
    assert b"nan" not in summary_tables(frame)["primes.csv"].lower()


def test_no_text_begins_like_a_formula(seen: list[CheckedRecord]) -> None:
    back = read(summary_tables(frame_of_gated(seen))["primes.csv"])
    assert set(back["machine"]) == {"'-2+3, a host"}
    assert "'@SUM(1)" in set(back["reason"])
    samples = packed(sample_tables(pooled(seen))["primes-samples.csv.gz"])
    assert '\'=cmd|"/c calc"!A1, or\nworse' in set(samples["sample_reason"])
    assert samples["value"].dtype == float


def test_each_scenario_has_its_samples_and_failed_ones(seen: list[CheckedRecord]) -> None:
    made = sample_tables(pooled(seen))
    names = ("blocking_server-samples", "primes-samples", "samples")
    assert made.keys() == {f"{name}.{kind}" for name in names for kind in ("csv.gz", "parquet")}
    whole, *each = (len(packed(made[f"{name}.csv.gz"])) for name in reversed(names))
    assert whole == sum(each)
    rows = packed(made["primes-samples.csv.gz"])
    series = [one for one in seen[0].file.record.series if one.scenario == "primes" and one.role != "reference"]
    assert len(rows) == 3 * len(series) * len(SCENARIOS["primes"].metrics)
    failed = rows[(rows["sample_status"] == "failed") & (rows["metric"] == "elapsed_ns")]
    assert len(failed) == 1
    assert failed["value"].isna().all()


def test_all_samples_are_the_same_as_text_and_as_parquet(seen: list[CheckedRecord], tmp_path: Path) -> None:
    made = sample_tables(pooled(seen))
    rows, expected = columnar(made["samples.parquet"], tmp_path), packed(made["samples.csv.gz"])
    assert list(rows[0]) == list(expected.columns)
    assert [row["value"] for row in rows if row["value"] is not None] == expected["value"].dropna().tolist()
    assert [row["runner"] for row in rows] == expected["runner"].tolist()


def test_parquet_holds_what_the_frame_holds(seen: list[CheckedRecord], tmp_path: Path) -> None:
    frame = frame_of_gated(seen)
    rows = columnar(summary_tables(frame)["summaries.parquet"], tmp_path)
    assert len(rows) == len(frame)
    assert list(rows[0]) == list(frame.columns)
    for row, (_, expected) in zip(rows, frame.iterrows(), strict=True):
        assert row["machine"] == "-2+3, a host"  # no spreadsheet reads it: nothing is put before it
        assert (row["runner"], row["reason"]) == (expected["runner"], expected["reason"])
        assert row["estimate"] == (None if pd.isna(expected["estimate"]) else expected["estimate"])
    assert any(row["ideal"] is None for row in rows)


def test_every_row_names_machine_python_baseline_and_packages(tmp_path: Path) -> None:
    packages = {
        "aiohttp": Package("3.13.5", None, requires=("yarl",)),
        "gevent": Package("25.9.1", None, requires=()),
        "yarl": Package("1.22.0", None, requires=()),
    }
    plan = Plan(build=structs.replace(build("3.14.7", free_threaded=True), jit=True), packages=packages)
    records = check_records([file_of(make(SCENARIOS, plan))], SCENARIOS)
    tables = summary_tables(frame_of_gated(records)), sample_tables(pooled(records))
    for made, name in zip(tables, ("summaries", "samples"), strict=True):
        rows = columnar(made[f"{name}.parquet"], tmp_path)
        own = [row for row in rows if row["role"] == "subject"]
        names = ("machine", "processor", "python", "free_threaded", "jit")
        assert {tuple(row[name] for name in names) for row in own} == {
            ("fixture-host", "Fixture CPU", "3.14.7", True, True)
        }
        told = {(row["runner"], row["case"]): (row["baseline"], row["packages"]) for row in own}
        assert told["aiohttp_awaiting", "tenth"] == ("http_server_fair", "aiohttp 3.13.5, yarl 1.22.0")
        assert told["sync_loop", "published"] == ("sync_loop", None)


def test_samples_are_of_every_pooled_run(tmp_path: Path) -> None:
    runs = [make(SCENARIOS, Plan(run_id=name, seed=seed)) for seed, name in enumerate("ab")]
    records = check_records([file_of(record, f"{record.run.id}.json") for record in runs], SCENARIOS)
    samples = columnar(sample_tables(pooled(records))["primes-samples.parquet"], tmp_path)
    assert {(row["path"], row["run_id"]) for row in samples} == {("a.json", "a"), ("b.json", "b")}
    summaries = columnar(summary_tables(frame_of_gated(records))["primes.parquet"], tmp_path)
    assert {(row["run_ids"], row["runs"], row["rounds"]) for row in summaries if row["runs"]} == {("b a", 2, 24)}


def test_the_same_results_give_the_same_bytes(seen: list[CheckedRecord]) -> None:
    assert sample_tables(pooled(seen)) == sample_tables(pooled(seen))
    assert summary_tables(frame_of_gated(seen)) == summary_tables(frame_of_gated(seen))
    assert summary_tables(frame_of_gated([])) == {}
    assert sample_tables({}) == {}
