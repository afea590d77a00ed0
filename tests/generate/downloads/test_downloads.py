"""What can be downloaded beside the pages."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import re
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING, Any

import pyperf  # type: ignore[import-untyped] # it has no types
import pytest
import yaml
from factory import REFERENCE, Plan, altered, build, make
from msgspec import structs
from sample_site import book_of, data_of, letters, put, site_of

from generate.data.read import LOCAL_FOLDER
from generate.downloads.index import CITATION, HOW_TO_READ, citation, index
from runners.harness.catalogue.scenarios import ROOT
from runners.harness.record.codec import encode
from runners.harness.record.model import SeriesKey
from runners.harness.run.session import Revision

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from runners.harness.catalogue.scenarios import Scenario

PLANS = {
    "2026-01-01/r1/a.json": Plan(build=REFERENCE),
    "2026-01-01/r1/b.json": Plan(status={"slow": "failed"}),
    f"{LOCAL_FOLDER}/c.json": Plan(machine="mine", run_id="r2"),
}
DATA = "docs/data"
NAMES = ["machine", "build", "scenario", "case", "runner", "role", "metric"]
"""What tells one series from another, and its metric."""
NEWER = {"sync_loop", "thread_pool"}
"""The runners that the newer of two runs has."""
REFUSED = SeriesKey("letters", "published", "thread_pool", "subject")


@pytest.fixture
def made(tmp_path: Path) -> dict[str, bytes]:
    put(tmp_path, PLANS, letters())
    return data_of(tmp_path, letters())


def test_every_raw_file_is_there_to_the_byte(made: dict[str, bytes], tmp_path: Path) -> None:
    for path in PLANS:
        assert made[f"{DATA}/raw/{path}"] == (tmp_path / path).read_bytes()


def test_the_index_names_every_run_and_cell_with_hash_and_size(made: dict[str, bytes]) -> None:
    runs = json.loads(made[f"{DATA}/index.json"])["runs"]
    cells = [cell for run in runs for cell in run["cells"]]
    assert {cell["raw"] for cell in cells} == {f"raw/{path}" for path in PLANS}
    for cell in cells:
        raw = made[f"{DATA}/{cell['raw']}"]
        assert (cell["sha256"], cell["size_bytes"]) == (hashlib.sha256(raw).hexdigest(), len(raw))


def test_the_index_tells_processors_of_one_machine_label_apart(tmp_path: Path) -> None:
    plans = {
        f"2026-01-01/{cpu}/a.json": Plan(cpu=cpu, run_id=cpu, seed=seed) for seed, cpu in enumerate(("one", "other"))
    }
    put(tmp_path, plans, letters())
    runs = json.loads(data_of(tmp_path, letters())[f"{DATA}/index.json"])["runs"]
    assert {(cell["machine"], cell["processor"]) for run in runs for cell in run["cells"]} == {
        ("fixture-host", "one"),
        ("fixture-host", "other"),
    }


def test_the_jobs_of_a_hosted_run_are_one_run_of_the_index(tmp_path: Path) -> None:
    plans = {
        f"2026-01-01/gh-1/{cell}.json": Plan(machine=cell, run_id=f"gh-1.{cell}", run_name="gh-1")
        for cell in ("m", "n")
    }
    put(tmp_path, plans, letters())
    (run,) = json.loads(data_of(tmp_path, letters())[f"{DATA}/index.json"])["runs"]
    assert run["id"] == "gh-1"
    assert [cell["run"] for cell in run["cells"]] == ["gh-1.m", "gh-1.n"]


def test_the_index_tells_of_hosted_cells_that_brought_nothing(tmp_path: Path) -> None:
    failed = {"cell": "m--3.15", "machine": "m", "python": "3.15", "status": "failed", "reason": "no 3.15", "files": []}
    outcomes = {"run_id": "gh-1", "url": "", "note": "", "profile": "full", "cells": [failed]}
    (tmp_path / "2026-01-01/gh-1").mkdir(parents=True)
    (tmp_path / "2026-01-01/gh-1/cells.json").write_text(json.dumps(outcomes))
    assert json.loads(data_of(tmp_path, letters())[f"{DATA}/index.json"])["outcomes"] == [outcomes]


def test_the_index_names_what_the_gate_rejects(tmp_path: Path) -> None:
    def idle(series: dict[str, Any]) -> None:
        series["samples"]["values"]["elapsed_ns"] = [0] * len(series["samples"]["round"])

    record = altered(make(letters(), Plan()), lambda series: series.key == REFUSED, idle)
    (tmp_path / "a.json").write_bytes(encode(record))
    made = data_of(tmp_path, letters())
    ((cell,),) = (run["cells"] for run in json.loads(made[f"{DATA}/index.json"])["runs"])
    (rejected,) = cell["refused"]
    assert {**rejected, "reason": ""} == {**REFUSED._asdict(), "reason": ""}
    assert {series.key: series.status for series in record.series}[REFUSED] == "ok"
    rows = csv.DictReader(io.StringIO(made[f"{DATA}/letters.csv"].decode()))
    failed = {(row["status"], row["reason"]) for row in rows if tuple(row[name] for name in REFUSED._fields) == REFUSED}
    assert failed == {("failed", rejected["reason"])}


def test_each_first_metric_names_its_column(made: dict[str, bytes], tmp_path: Path) -> None:
    metrics = json.loads(made[f"{DATA}/metrics.json"])
    assert metrics["letters"]["column"] == "elapsed_ns"
    record = json.loads((tmp_path / "2026-01-01/r1/a.json").read_bytes())
    for series in record["series"]:
        column = metrics[series["scenario"]]["column"]
        assert column is None or column in series["samples"]["values"]
    assert metrics["letters"]["calibrates"] is False


def test_the_index_names_the_code_and_the_newest_run(tmp_path: Path) -> None:
    put(tmp_path, PLANS, letters())
    context = book_of(tmp_path, letters())
    revisions = Revision("a" * 40, dirty=True), Revision()
    made = [json.loads(index(context.site, context.records, revision))["generated_from"] for revision in revisions]
    newest = {"newest_run": "fixture-1", "newest_run_ended": make(letters(), Plan()).run.finished}
    assert made == [{"commit": "a" * 40, "dirty": True, **newest}, {"commit": None, "dirty": None, **newest}]
    nothing = json.loads(data_of(tmp_path / "nothing", letters())[f"{DATA}/index.json"])["generated_from"]
    assert {*nothing.values()} == {None}


def test_the_same_results_make_the_same_bytes(made: dict[str, bytes], tmp_path: Path) -> None:
    assert data_of(tmp_path, letters()) == made


def test_the_index_names_the_runs_that_an_estimate_pools(tmp_path: Path) -> None:
    plans = {
        f"2026-01-0{number}/r/a.json": Plan(build=REFERENCE, run_id=f"r{number}", seed=number) for number in range(1, 8)
    }
    put(tmp_path, plans, letters())
    made = data_of(tmp_path, letters())
    (pool,) = json.loads(made[f"{DATA}/index.json"])["pools"]
    assert pool.items() >= {"machine": "fixture-host", "local": False, "scenario": "letters", "cores": 2}.items()
    assert {*pool["raw"]} == {f"raw/{path}" for path in plans}
    medians: dict[tuple[str, str], list[float]] = {}
    for path in pool["raw"]:
        for series in json.loads(made[f"{DATA}/{path}"])["series"]:
            if series["role"] == "subject":
                values = series["samples"]["values"]["elapsed_ns"]
                medians.setdefault((series["case"], series["runner"]), []).append(median(values))
    rows = csv.DictReader(io.StringIO(made[f"{DATA}/letters.csv"].decode()))
    wanted = {"role": "subject", "metric": "elapsed_ns", "runs": "7"}
    found = {(row["case"], row["runner"]): row for row in rows if row.items() >= wanted.items()}
    assert found.keys() == medians.keys()
    for place, row in found.items():
        assert min(medians[place]) < float(row["estimate"]) < max(medians[place])
        assert float(row["low"]) < float(row["estimate"]) < float(row["high"])


def test_the_validation_and_how_to_read_files_are_there(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "validation.json").write_text("{}")
    made = data_of(tmp_path, letters(), tmp_path / "docs")
    assert made[f"{DATA}/validation.json"] == b"{}"
    assert b"**`samples`**" in made[f"{DATA}/{HOW_TO_READ}"]


def test_the_checksums_are_of_every_file(made: dict[str, bytes]) -> None:
    lines = made[f"{DATA}/SHA256SUMS"].decode().splitlines()
    told = {path: digest for digest, path in (line.split("  ") for line in lines)}
    others = {
        path.removeprefix(f"{DATA}/"): content
        for path, content in made.items()
        if path.startswith(DATA) and "SHA256SUMS" not in path
    }
    assert told == {path: hashlib.sha256(content).hexdigest() for path, content in others.items()}


def test_every_timing_series_is_there_for_pyperf_in_seconds(made: dict[str, bytes], tmp_path: Path) -> None:
    path = "2026-01-01/r1/b.json"
    record = json.loads((tmp_path / path).read_bytes())
    suite = json.loads(made[f"{DATA}/pyperf/{path}"])
    assert suite["metadata"]["unit"] == "second"
    by_name = {one["metadata"]["name"]: one for one in suite["benchmarks"]}
    subjects = [series for series in record["series"] if series["role"] == "subject" and series["status"] == "ok"]
    names = {f"{one['scenario']}/{one['case']}/{one['runner']}" for one in subjects}
    assert {name.rpartition("/")[0] for name in by_name} == names
    for series in subjects:
        runs = by_name[f"{series['scenario']}/{series['case']}/{series['runner']}/elapsed_ns"]["runs"]
        values_s = [value for run in runs for value in run["values"]]
        assert values_s == [value_ns / 1e9 for value_ns in series["samples"]["values"]["elapsed_ns"]]


def test_pyperf_reads_its_files_and_tells_builds_apart(tmp_path: Path) -> None:
    plans = {f"{kind}.json": Plan(build=build("3.13.1", free_threaded=kind == "free")) for kind in ("gil", "free")}
    put(tmp_path, plans, letters())
    made = data_of(tmp_path, letters())
    suites = {path: made[f"{DATA}/pyperf/{path}"].decode() for path in plans}
    facts = {path: json.loads(text)["metadata"] for path, text in suites.items()}
    told = {
        path: (of["build"], of["free_threaded"], of["raw"], of["run_id"], of["machine"]) for path, of in facts.items()
    }
    same = "fixture-1", "fixture-host"
    assert told == {
        "gil.json": ("cpython-3.13.1", "no", "raw/gil.json", *same),
        "free.json": ("cpython-3.13.1t", "yes", "raw/free.json", *same),
    }
    for text in suites.values():
        read = pyperf.BenchmarkSuite.loads(text)
        tags = {benchmark.get_name(): benchmark.get_metadata()["tags"] for benchmark in read.get_benchmarks()}
        assert tags
        assert all(tag == [name.rpartition("/")[2]] for name, tag in tags.items())


def test_a_series_that_lacks_a_round_is_left_out_for_pyperf(tmp_path: Path) -> None:
    def without_last(series: dict[str, Any]) -> None:
        samples = series["samples"]
        samples["status"][-1], samples["reason"][-1] = "failed", "wrong"
        for values in samples["values"].values():
            values[-1] = None
        series["status"], series["reason"] = "partial", "wrong"

    record = altered(make(letters(), Plan()), lambda series: series.key == REFUSED, without_last)
    (tmp_path / "a.json").write_bytes(encode(record))
    made = data_of(tmp_path, letters())
    names = {one["metadata"]["name"] for one in json.loads(made[f"{DATA}/pyperf/a.json"])["benchmarks"]}
    runners = {name.split("/")[2] for name in names if name.startswith("letters/published/")}
    assert "sync_loop" in runners
    assert REFUSED.runner not in runners
    rows = csv.DictReader(io.StringIO(made[f"{DATA}/letters.csv"].decode()))
    assert "partial" in {row["status"] for row in rows if row["runner"] == REFUSED.runner}


def test_whatever_a_page_links_or_loads_below_data_is_there(made: dict[str, bytes], tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    pages = site_of(tmp_path, letters(), tmp_path / "docs")
    text = "\n".join(content for content in pages.values() if isinstance(content, str))
    linked = {re.sub(r"^(\.\./)*", "", link) for link in re.findall(r'href="((?:\.\./)*data/[^"#]+)"', text)}
    assert len(linked) > len(PLANS)
    assert {f"docs/{link}" for link in linked} <= made.keys()


def test_the_licence_of_the_code_lies_where_that_of_the_data_says(made: dict[str, bytes]) -> None:
    assert b"see LICENSE one folder up" in made[f"{DATA}/LICENSE"]
    assert made["docs/LICENSE"].startswith(b"MIT License")


def test_the_citation_has_the_day_and_the_address_if_known(made: dict[str, bytes]) -> None:
    text = CITATION.read_text(encoding="utf-8")
    assert made[f"{DATA}/CITATION.cff"].decode() == f'{text}date-released: "2026-01-01"\n'
    assert citation(text, [], "https://example.org/") == f'{text}url: "https://example.org/"\n'.encode()


def test_the_data_are_cited_as_data_under_their_own_licence(made: dict[str, bytes]) -> None:
    of_data = yaml.safe_load(made[f"{DATA}/CITATION.cff"])
    of_code = yaml.safe_load((ROOT / "CITATION.cff").read_bytes())
    assert (of_data["type"], of_data["license"]) == ("dataset", "CC-BY-4.0")
    assert (of_code["type"], of_code["license"]) == ("software", "MIT")
    assert of_code["references"][0]["title"] == of_data["title"]
    assert of_data["references"][0]["title"] == of_code["title"]
    assert (of_data["keywords"], of_data["authors"]) == (of_code["keywords"], of_code["authors"])


def two_runs_of_a_cell(folder: Path, scenarios: Mapping[str, Scenario]) -> dict[str, bytes]:
    """Return the data of a run of all runners and a newer one of two."""
    whole = scenarios["letters"]
    some = {name: whole.runners[name] for name in NEWER}
    put(folder, {"2026-01-01/r1/a.json": Plan(build=REFERENCE, run_id="r1")}, scenarios)
    newer = make({"letters": replace(whole, runners=some)}, Plan(build=REFERENCE, run_id="r2"))
    when = structs.replace(newer.run, started="2026-02-01T00:00:00Z", finished="2026-02-01T00:10:00Z")
    newer = structs.replace(newer, run=when)
    (folder / "b.json").write_bytes(encode(newer))
    return data_of(folder, scenarios)


def test_a_series_pools_the_runs_that_have_it(tmp_path: Path) -> None:
    made = two_runs_of_a_cell(tmp_path, letters())
    rows = [*csv.DictReader(io.StringIO(made[f"{DATA}/letters.csv"].decode()))]
    keys = [tuple(row[name] for name in NAMES) for row in rows]
    assert len(keys) == len({*keys}) > 0
    runs = {row["runner"]: row["run_ids"] for row in rows if row["role"] == "subject"}
    assert {runs[name] for name in NEWER} == {"r2 r1"}
    assert {runs[name] for name in runs.keys() - NEWER} == {"r1"}
    samples = csv.DictReader(io.StringIO(gzip.decompress(made[f"{DATA}/letters-samples.csv.gz"]).decode()))
    each = [tuple(row[name] for name in [*NAMES, "run_id", "round"]) for row in samples]
    assert len(each) == len({*each}) > len(keys)


def test_each_pooled_file_is_there_for_pyperf(tmp_path: Path) -> None:
    made = two_runs_of_a_cell(tmp_path, letters())
    suites = [path for path in made if path.startswith(f"{DATA}/pyperf/")]
    assert suites == [f"{DATA}/pyperf/2026-01-01/r1/a.json", f"{DATA}/pyperf/b.json"]


def test_the_index_has_the_pools_of_a_file_or_why_it_has_none(tmp_path: Path) -> None:
    scenarios = letters()
    every = {**scenarios, "other": replace(scenarios["letters"], name="other")}
    put(tmp_path, {"both.json": Plan(run_id="r1"), "patch.json": Plan(build=build("3.13.0"), run_id="r2")}, every)
    record = make(scenarios, Plan(run_id="r3"))
    busy = structs.replace(record.machine, load_before=9.0)
    (tmp_path / "busy.json").write_bytes(encode(structs.replace(record, machine=busy)))
    changed = structs.replace(record, scenario_sha256={"letters": "0" * 64})
    (tmp_path / "older.json").write_bytes(encode(structs.replace(changed, run=structs.replace(record.run, id="r4"))))
    debug = structs.replace(record.build, flags="--with-pydebug")
    (tmp_path / "debug.json").write_bytes(encode(structs.replace(record, build=debug)))
    backwards = structs.replace(record.run, id="r6", finished="2025-12-31T23:59:59Z")
    (tmp_path / "clock.json").write_bytes(encode(structs.replace(record, run=backwards)))
    unknown = make({"gone": replace(scenarios["letters"], name="gone")}, Plan(run_id="r5"))
    (tmp_path / "unknown.json").write_bytes(encode(unknown))
    runs = json.loads(data_of(tmp_path, every)[f"{DATA}/index.json"])["runs"]
    cells = {cell["raw"]: (cell["pooled_in"], cell["why_history"]) for run in runs for cell in run["cells"]}
    assert cells == {
        "raw/both.json": (["letters", "other"], None),
        "raw/patch.json": ([], "newer_patch"),
        "raw/busy.json": ([], "busy"),
        "raw/older.json": ([], "older_code"),
        "raw/debug.json": ([], "debug_build"),
        "raw/clock.json": ([], "clock"),
        "raw/unknown.json": ([], "unknown_scenario"),
    }
