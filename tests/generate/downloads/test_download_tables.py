"""The tables: complete, read back as written, and harmless in a spreadsheet."""

import csv
import gzip
import io
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest
from factory import Plan, altered, build, make_record
from frames import SCENARIOS, make_file, pooled, summarise_all
from msgspec import structs

from generate.data.checked import CheckedRecord
from generate.data.gate import check_records
from generate.data.table import summary_row
from generate.downloads.tables import sample_tables, summary_tables
from runners.harness.record.model import Package


@pytest.fixture(scope="module")
def hostile() -> list[CheckedRecord]:
    def fail(series: dict[str, Any]) -> None:
        series["samples"]["status"][0] = "failed"
        series["samples"]["reason"][0] = '=cmd|"/c calc"!A1, or\nworse'
        series["reason"] = "@SUM(1)"

    record = make_record(SCENARIOS, Plan(rounds=3, machine="-2+3, a host"))
    record = altered(record, lambda series: (series.runner, series.role) == ("thread_pool", "subject"), fail)
    return check_records([make_file(record)], SCENARIOS)


def read(table: bytes) -> pd.DataFrame:
    return pd.read_csv(io.BytesIO(table))


def read_parquet(table: bytes, tmp_path: Path) -> list[dict[str, Any]]:
    path = tmp_path / "table.parquet"
    path.write_bytes(table)
    with duckdb.connect() as database:
        relation = database.read_parquet(str(path))
        return [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_no_cell_begins_with_a_sign_that_a_spreadsheet_runs(sign: str) -> None:
    row = summarise_all(check_records([make_file(make_record(SCENARIOS))], SCENARIOS))[0]
    row = structs.replace(row, note=f"{sign}1+1", reason=None, title=f"1{sign}1", ideal=-1.5)
    (back,) = csv.DictReader(io.StringIO(summary_tables([row])["summaries.csv"].decode(), newline=""))
    line = sign.replace("\r", "\n")
    assert (back["note"], back["reason"], back["title"], back["ideal"]) == (f"'{line}1+1", "", f"1{line}1", "-1.5")


def test_summaries_are_read_back_from_csv(hostile: list[CheckedRecord]) -> None:
    summaries = summarise_all(hostile)
    frame, made = pd.DataFrame(map(summary_row, summaries)), summary_tables(summaries)
    names = ("summaries", "blocking_server", "primes")
    assert made.keys() == {f"{name}.{kind}" for name in names for kind in ("csv", "parquet")}
    assert len(read(made["summaries.csv"])) == sum(len(read(made[f"{name}.csv"])) for name in names[1:]) == len(frame)
    back, own = read(made["primes.csv"]), frame[frame["scenario"] == "primes"].reset_index(drop=True)
    for name in ("estimate", "ratio_low", "efficiency", "ratio_rounds", "free_threaded", "is_current"):
        pd.testing.assert_series_equal(back[name], own[name])
    assert b"None" not in made["primes.csv"]
    assert b"nan" not in made["primes.csv"].lower()
    assert {*back["machine"]} == {"'-2+3, a host"}
    assert "'@SUM(1)" in {*back["reason"]}


def test_samples_have_failed_ones_without_a_value(hostile: list[CheckedRecord], tmp_path: Path) -> None:
    made = sample_tables(pooled(hostile))
    names = ("blocking_server-samples", "primes-samples", "samples")
    assert made.keys() == {f"{name}.{kind}" for name in names for kind in ("csv.gz", "parquet")}
    every, primes = (read(gzip.decompress(made[f"{name}.csv.gz"])) for name in ("samples", "primes-samples"))
    series = [key for key in hostile[0].series if key.scenario == "primes" and key.role != "reference"]
    assert len(primes) == 3 * len(series) * len(SCENARIOS["primes"].metrics)
    failed = primes[(primes["sample_status"] == "failed") & (primes["metric"] == "elapsed_ns")]
    assert failed["value"].isna().tolist() == [True]
    assert failed["sample_reason"].tolist() == ['\'=cmd|"/c calc"!A1, or\nworse']
    rows = read_parquet(made["samples.parquet"], tmp_path)
    assert list(rows[0]) == list(every.columns)
    assert [row["value"] for row in rows if row["value"] is not None] == every["value"].dropna().tolist()
    assert [row["runner"] for row in rows] == every["runner"].tolist()


def test_parquet_holds_every_summary_as_it_is(hostile: list[CheckedRecord], tmp_path: Path) -> None:
    summaries = summarise_all(hostile)
    rows = read_parquet(summary_tables(summaries)["primes.parquet"], tmp_path)
    assert rows == [summary_row(row) for row in summaries if row.scenario == "primes"]
    assert {row["machine"] for row in rows} == {"-2+3, a host"}  # no spreadsheet reads it: nothing is put before it


def test_every_row_names_machine_python_baseline_and_packages(tmp_path: Path) -> None:
    packages = {
        "aiohttp": Package("3.13.5", None, requires=("yarl",)),
        "gevent": Package("25.9.1", None, requires=()),
        "yarl": Package("1.22.0", None, requires=()),
    }
    plan = Plan(build=structs.replace(build("3.14.7", free_threaded=True), jit=True), packages=packages)
    records = check_records([make_file(make_record(SCENARIOS, plan))], SCENARIOS)
    summaries, samples = summary_tables(summarise_all(records)), sample_tables(pooled(records))
    for table in (summaries["summaries.parquet"], samples["samples.parquet"]):
        own = [row for row in read_parquet(table, tmp_path) if row["role"] == "subject"]
        names = ("machine", "processor", "python", "free_threaded", "jit")
        facts = {tuple(row[name] for name in names) for row in own}
        assert facts == {("fixture-host", "Fixture CPU", "3.14.7", True, True)}
        needs = {(row["runner"], row["case"]): (row["baseline"], row["packages"]) for row in own}
        assert needs["aiohttp_awaiting", "tenth"] == ("http_server_fair", "aiohttp 3.13.5, yarl 1.22.0")
        assert needs["sync_loop", "published"] == ("sync_loop", None)
