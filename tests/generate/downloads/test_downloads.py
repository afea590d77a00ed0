"""The files of the downloads: raw results, the index, pyperf's files, checksums, licences and citation."""

import csv
import gzip
import hashlib
import io
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyperf  # type: ignore[import-untyped] # it has no types
import pytest
import yaml
from factory import REFERENCE, Plan, altered, build, make_record
from msgspec import structs
from sample_site import build_context, build_downloads, build_site, letters, write_results

from generate.data.read import LOCAL_FOLDER
from generate.downloads.index import FOLDER, HOW_TO_READ, Origin, citation
from generate.downloads.run_index import index
from runners.harness.catalogue.scenarios import ROOT, Scenario
from runners.harness.record.codec import encode
from runners.harness.record.model import SeriesKey
from runners.harness.run.revision import Revision

PLANS = {
    "2026-01-01/r1/a.json": Plan(build=REFERENCE),
    "2026-01-01/r1/b.json": Plan(status={"slow": "failed"}),
    f"{LOCAL_FOLDER}/c.json": Plan(machine="mine", run_id="r2"),
}
NEWER = {"sync_loop", "thread_pool"}
"""The runners that the newer of two runs has."""
REJECTED = SeriesKey("letters", "published", "thread_pool", "subject")


@pytest.fixture
def made(tmp_path: Path) -> dict[str, bytes]:
    write_results(tmp_path, PLANS, letters())
    return build_downloads(tmp_path, letters())


def read_index(folder: Path, plans: Mapping[str, Plan], scenarios: Mapping[str, Scenario] | None = None) -> Any:  # noqa: ANN401 - JSON
    write_results(folder, plans, scenarios or letters())
    return json.loads(build_downloads(folder, scenarios or letters())[f"{FOLDER}/index.json"])


def read_rows(made: Mapping[str, bytes], name: str = "letters.csv") -> list[dict[str, str]]:
    content = made[f"{FOLDER}/{name}"]
    text = gzip.decompress(content) if name.endswith(".gz") else content
    return [*csv.DictReader(io.StringIO(text.decode()))]


def test_raw_files_are_indexed_with_hash_and_size(made: dict[str, bytes], tmp_path: Path) -> None:
    cells = [cell for run in json.loads(made[f"{FOLDER}/index.json"])["runs"] for cell in run["cells"]]
    assert {cell["raw"] for cell in cells} == {f"raw/{path}" for path in PLANS}
    for cell in cells:
        raw = made[f"{FOLDER}/{cell['raw']}"]
        assert raw == (tmp_path / cell["raw"].removeprefix("raw/")).read_bytes()
        assert (cell["sha256"], cell["size_bytes"]) == (hashlib.sha256(raw).hexdigest(), len(raw))


def test_checksums_are_of_every_other_file(made: dict[str, bytes]) -> None:
    lines = made[f"{FOLDER}/SHA256SUMS"].decode().splitlines()
    sums = {f"{FOLDER}/{path}": digest for digest, path in (line.split("  ") for line in lines)}
    others = {path for path in made if path.startswith(f"{FOLDER}/") and not path.endswith("SHA256SUMS")}
    assert sums == {path: hashlib.sha256(made[path]).hexdigest() for path in others}


def test_jobs_of_a_hosted_run_are_one_run(tmp_path: Path) -> None:
    plans = {
        f"gh-1/{cell}.json": Plan(machine=cell, cpu=f"cpu {cell}", run_id=f"gh-1.{cell}", run_name="gh-1")
        for cell in ("m", "n")
    }
    (run,) = read_index(tmp_path, plans)["runs"]
    assert run["id"] == "gh-1"
    cells = [(cell["run"], cell["machine"], cell["processor"]) for cell in run["cells"]]
    assert cells == [("gh-1.m", "m", "cpu m"), ("gh-1.n", "n", "cpu n")]


def test_index_has_hosted_cells_without_a_file(tmp_path: Path) -> None:
    failed = {"cell": "m--3.15", "machine": "m", "python": "3.15", "status": "failed", "reason": "no 3.15", "files": []}
    outcomes = {"run_id": "gh-1", "url": "", "note": "", "profile": "full", "cells": [failed]}
    (tmp_path / "2026-01-01/gh-1").mkdir(parents=True)
    (tmp_path / "2026-01-01/gh-1/cells.json").write_text(json.dumps(outcomes))
    assert read_index(tmp_path, {})["outcomes"] == [outcomes]


def test_index_and_tables_list_rejected_series(tmp_path: Path) -> None:
    def idle(series: dict[str, Any]) -> None:
        series["samples"]["values"]["elapsed_ns"] = [0] * len(series["samples"]["round"])

    record = altered(make_record(letters(), Plan()), lambda series: series.key == REJECTED, idle)
    (tmp_path / "a.json").write_bytes(encode(record))
    made = build_downloads(tmp_path, letters())
    ((cell,),) = (run["cells"] for run in json.loads(made[f"{FOLDER}/index.json"])["runs"])
    (rejected,) = cell["refused"]
    assert rejected.items() >= REJECTED._asdict().items()
    rows = [row for row in read_rows(made) if row.items() >= REJECTED._asdict().items()]
    assert {(row["status"], row["reason"]) for row in rows} == {("failed", rejected["reason"])}


def test_first_metric_names_its_column(made: dict[str, bytes], tmp_path: Path) -> None:
    facts = json.loads(made[f"{FOLDER}/metrics.json"])["letters"]
    assert (facts["column"], facts["calibrates"]) == ("elapsed_ns", False)
    record = json.loads((tmp_path / "2026-01-01/r1/a.json").read_bytes())
    assert all(facts["column"] in series["samples"]["values"] for series in record["series"])


def test_index_names_the_code_and_the_newest_run(tmp_path: Path) -> None:
    write_results(tmp_path, PLANS, letters())
    context = build_context(tmp_path, letters())
    origin = index(context.site, Revision("a" * 40, dirty=True))["generated_from"]
    ended = make_record(letters(), Plan()).run.finished
    assert origin == {"commit": "a" * 40, "dirty": True, "newest_run": "fixture-1", "newest_run_ended": ended}
    assert {*read_index(tmp_path / "nothing", {})["generated_from"].values()} == {None}


def test_pool_has_the_runs_of_its_estimates(tmp_path: Path) -> None:
    plans = {f"r{number}/a.json": Plan(build=REFERENCE, run_id=f"r{number}", seed=number) for number in range(1, 8)}
    write_results(tmp_path, plans, letters())
    made = build_downloads(tmp_path, letters())
    (pool,) = json.loads(made[f"{FOLDER}/index.json"])["pools"]
    assert pool.items() >= {"machine": "fixture-host", "local": False, "scenario": "letters", "cores": 2}.items()
    assert {*pool["raw"]} == {f"raw/{path}" for path in plans}
    wanted = {"role": "subject", "metric": "elapsed_ns"}
    assert {row["runs"] for row in read_rows(made) if row.items() >= wanted.items()} == {"7"}


def test_series_pools_the_runs_that_have_it(tmp_path: Path) -> None:
    known = letters()["letters"]
    write_results(tmp_path, {"a.json": Plan(build=REFERENCE, run_id="r1")}, letters())
    some = {"letters": replace(known, runners={name: known.runners[name] for name in NEWER})}
    newer = make_record(some, Plan(build=REFERENCE, run_id="r2"))
    when = structs.replace(newer.run, started="2026-02-01T00:00:00Z", finished="2026-02-01T00:10:00Z")
    (tmp_path / "b.json").write_bytes(encode(structs.replace(newer, run=when)))
    made = build_downloads(tmp_path, letters())
    runs = {row["runner"]: row["run_ids"] for row in read_rows(made) if row["role"] == "subject"}
    assert {runs[name] for name in NEWER} == {"r2 r1"}
    assert {runs[name] for name in runs.keys() - NEWER} == {"r1"}
    samples = read_rows(made, "letters-samples.csv.gz")
    keys = [tuple(row[name] for name in ("case", "runner", "role", "metric", "run_id", "round")) for row in samples]
    assert len(keys) == len({*keys})
    assert {path for path in made if "/pyperf/" in path} == {f"{FOLDER}/pyperf/{name}.json" for name in "ab"}


def test_index_has_the_pools_of_a_file_or_why_it_has_none(tmp_path: Path) -> None:
    scenarios = letters()
    every = {**scenarios, "other": replace(scenarios["letters"], name="other")}
    write_results(
        tmp_path, {"both.json": Plan(run_id="r1"), "patch.json": Plan(build=build("3.13.0"), run_id="r2")}, every
    )
    record = make_record(scenarios, Plan(run_id="r3"))
    changes: dict[str, dict[str, object]] = {
        "busy": {"machine": structs.replace(record.machine, load_before=9.0)},
        "older": {"scenario_sha256": {"letters": "0" * 64}, "run": structs.replace(record.run, id="r4")},
        "debug": {"build": structs.replace(record.build, flags="--with-pydebug")},
        "clock": {"run": structs.replace(record.run, id="r6", finished="2025-12-31T23:59:59Z")},
    }
    for name, change in changes.items():
        (tmp_path / f"{name}.json").write_bytes(encode(structs.replace(record, **change)))
    unknown = make_record({"gone": replace(scenarios["letters"], name="gone")}, Plan(run_id="r5"))
    (tmp_path / "unknown.json").write_bytes(encode(unknown))
    cells = [cell for run in read_index(tmp_path, {}, every)["runs"] for cell in run["cells"]]
    assert {cell["raw"]: (cell["pooled_in"], cell["why_history"]) for cell in cells} == {
        "raw/both.json": (["letters", "other"], None),
        "raw/patch.json": ([], "newer_patch"),
        "raw/busy.json": ([], "busy"),
        "raw/older.json": ([], "older_code"),
        "raw/debug.json": (["letters"], None),
        "raw/clock.json": ([], "clock"),
        "raw/unknown.json": ([], "unknown_scenario"),
    }


def test_pyperf_reads_every_time_in_seconds(tmp_path: Path) -> None:
    plans = {f"{kind}.json": Plan(build=build("3.13.1", free_threaded=kind == "free")) for kind in ("gil", "free")}
    write_results(tmp_path, plans, letters())
    made = build_downloads(tmp_path, letters())
    for path, build_name in (("gil.json", "cpython-3.13.1"), ("free.json", "cpython-3.13.1t")):
        text = made[f"{FOLDER}/pyperf/{path}"].decode()
        assert json.loads(text)["metadata"].items() >= {"build": build_name, "raw": f"raw/{path}"}.items()
        benchmarks = {each.get_name(): each for each in pyperf.BenchmarkSuite.loads(text).get_benchmarks()}
        subjects = [each for each in json.loads((tmp_path / path).read_bytes())["series"] if each["role"] == "subject"]
        assert {name.rpartition("/")[0] for name in benchmarks} == {
            f"{each['scenario']}/{each['case']}/{each['runner']}" for each in subjects
        }
        for each in subjects:
            benchmark = benchmarks[f"{each['scenario']}/{each['case']}/{each['runner']}/elapsed_ns"]
            assert benchmark.get_metadata()["tags"] == ["elapsed_ns"]
            values = each["samples"]["values"]["elapsed_ns"]
            assert list(benchmark.get_values()) == [value / 1e9 for value in values]


def test_series_that_lacks_a_round_is_left_out_for_pyperf(tmp_path: Path) -> None:
    def without_last(series: dict[str, Any]) -> None:
        samples = series["samples"]
        samples["status"][-1], samples["reason"][-1] = "failed", "wrong"
        for values in samples["values"].values():
            values[-1] = None
        series["status"], series["reason"] = "partial", "wrong"

    record = altered(make_record(letters(), Plan()), lambda series: series.key == REJECTED, without_last)
    (tmp_path / "a.json").write_bytes(encode(record))
    made = build_downloads(tmp_path, letters())
    names = [each["metadata"]["name"] for each in json.loads(made[f"{FOLDER}/pyperf/a.json"])["benchmarks"]]
    runners = {name.split("/")[2] for name in names if name.startswith("letters/published/")}
    assert "sync_loop" in runners
    assert REJECTED.runner not in runners
    assert "partial" in {row["status"] for row in read_rows(made) if row["runner"] == REJECTED.runner}


def test_links_of_pages_into_data_are_files(made: dict[str, bytes], tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    pages = build_site(tmp_path, letters(), tmp_path / "docs")
    text = "\n".join(content for content in pages.values() if isinstance(content, str))
    linked = {re.sub(r"^(\.\./)*", "", link) for link in re.findall(r'href="((?:\.\./)*data/[^"#]+)"', text)}
    assert len(linked) > len(PLANS)
    assert {f"docs/{link}" for link in linked} <= made.keys()


def test_licences_validation_and_readme_are_there(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "validation.json").write_text("{}")
    made = build_downloads(tmp_path, letters(), tmp_path / "docs")
    assert made[f"{FOLDER}/validation.json"] == b"{}"
    assert b"**`samples`**" in made[f"{FOLDER}/{HOW_TO_READ}"]
    assert b"see LICENSE one folder up" in made[f"{FOLDER}/LICENSE"]
    assert made["docs/LICENSE"].startswith(b"MIT License")


def test_citation_has_the_day_and_the_known_addresses(made: dict[str, bytes]) -> None:
    data = yaml.safe_load(made[f"{FOLDER}/CITATION.cff"])
    code = yaml.safe_load((ROOT / "CITATION.cff").read_bytes())
    assert (data["date-released"], data["type"], data["license"]) == ("2026-01-01", "dataset", "CC-BY-4.0")
    assert (data["keywords"], data["authors"]) == (code["keywords"], code["authors"])
    origin = Origin("https://a.example/", repository="https://b.example/c")
    known = yaml.safe_load(citation([], origin))
    assert "date-released" not in known
    assert (known["url"], known["repository-code"]) == ("https://a.example/", "https://b.example/c")
