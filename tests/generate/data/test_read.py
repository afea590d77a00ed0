"""A folder with every kind of broken file: each is named with its field, and the others are used."""

import bz2
import codecs
import gzip
import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from factory import Plan, make_record, some_scenarios
from fuzz_records import try_records

from generate.data.files import Problem
from generate.data.read import MOST_BYTES, UnusableError, decode_checked, decode_facts, load, load_needed
from generate.data.results import needed_paths
from runners.harness.record.codec import encode
from runners.harness.record.model import Record

GOOD = encode(make_record({"primes": some_scenarios()["primes"]}, Plan(rounds=3)))
SERIES = json.loads(GOOD)["series"]
CELL = ("series", 0, "samples", "values", "elapsed_ns", 1)


def altered(*path: str | int, to: object) -> bytes:
    """Return the good record with one field changed."""
    tree: Any = json.loads(GOOD)
    place = tree
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return json.dumps(tree).encode()


def only_problem(folder: Path, data: bytes) -> Problem:
    """Load a folder with one good file and one of *data*; the good one must be used."""
    (folder / "good.json").write_bytes(GOOD)
    (folder / "bad.json").write_bytes(data)
    loaded = load(folder)
    assert [file.path for file in loaded.files] == ["good.json"]
    (problem,) = loaded.problems
    assert problem.path == "bad.json"
    assert problem.remedy
    assert "\n" not in problem.message
    return problem


CONFLICT = b"\n<<<<<<< HEAD\n" + GOOD + b"=======\n" + GOOD + b">>>>>>> theirs\n"
LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n"


@pytest.mark.parametrize(
    ("data", "message", "remedy"),
    [
        (GOOD.decode().encode("utf-16"), "UTF-16", "UTF-8"),
        (GOOD.decode().encode("utf-16-be"), "UTF-16", "UTF-8"),
        (gzip.compress(GOOD), "compressed", "unpack"),
        (bz2.compress(GOOD), "compressed", "unpack"),
        (CONFLICT, "merge conflict", "take one"),
        (GOOD[:-2] + CONFLICT, "merge conflict", "take one"),
        (LFS, "Git LFS", "git lfs pull"),
        (b"<!DOCTYPE html>\n", "web page", "download"),
        (b" \n", "empty", "measure again"),
        (b"This is ApacheBench, Version 2.3 <$Revision: 1923142 $>\n", "looks like ab's", "another folder"),
        (b'{"benchmarks": [], "metadata": {}, "version": "1.0"}', "looks like pyperf's", "another folder"),
        (b'{"machine_info": {}, "benchmarks": [], "version": "5"}', "looks like pytest-benchmark's", "another folder"),
        (b'{"commit_hash": "", "env_name": "", "results": {}, "version": 2}', "looks like asv's", "another folder"),
        (b'{"results": [{"command": "sleep 1"}]}', "looks like hyperfine's", "another folder"),
        (b'{"name": "x", "series": 1}', "no result file of this project", "another folder"),
    ],
)
@pytest.mark.parametrize("decoded", [decode_checked, decode_facts])
def test_foreign_file_is_named_with_the_remedy_that_fits(
    decoded: Callable[[bytes], Record], data: bytes, message: str, remedy: str
) -> None:
    with pytest.raises(UnusableError) as raised:
        decoded(data)
    assert message in raised.value.message
    assert remedy in raised.value.remedy
    assert raised.value.field == ""


@pytest.mark.parametrize("decoded", [decode_checked, decode_facts])
def test_mark_of_utf_8_is_accepted(decoded: Callable[[bytes], Record]) -> None:
    assert decoded(codecs.BOM_UTF8 + GOOD) == decoded(GOOD)


@pytest.mark.parametrize("name", [b"caf\xe9/good.json", b"caf\xe9.json"])
def test_name_that_is_not_utf_8_is_a_problem(name: bytes, tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(name)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(GOOD)
    (tmp_path / "good.json").write_bytes(GOOD)
    loaded, _ = load_needed(tmp_path, lambda files: {file.path for file in files}, lambda file: file)
    assert [file.path for file in loaded.files] == ["good.json"]
    (problem,) = loaded.problems
    assert problem.path == name.replace(b"\xe9", b"\\udce9").decode()
    assert problem.remedy == "rename the file or its folder"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("absent", "there is no such file or folder"),
        ("absent.json", "there is no such file or folder"),
        ("README.md", "not a result file: their names end in .json"),
    ],
)
def test_foreign_path_is_named_as_given(name: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "README.md").touch()
    (problem,) = load(tmp_path / name).problems
    assert (problem.path, problem.message) == ((tmp_path / name).as_posix(), message)
    assert problem.remedy == "name a result file, or a folder that has some"
    assert str(problem) == f"{problem.path}: {message}; {problem.remedy}"


@pytest.mark.parametrize(
    ("data", "field", "message"),
    [
        (GOOD[: len(GOOD) // 2], "", "truncated"),
        (b"not json at all", "", "malformed"),
        (b"[1, 2]", "", "Expected `object`"),
        (b'{"a":' * 100_000, "", ""),
        (altered("schema_version", to=3), "$.schema_version", "schema_version is 3; this code reads 2"),
        (altered("machine", "usable_cores", to=0), "$.machine.usable_cores", ">= 1"),
        (altered("extra", to=1), "", "unknown field `extra`"),
        (altered("series", 0, "samples", "round", to=[1, 1, 2]), "$.series[0].samples.round", "measured twice"),
        (altered("series", to=[*SERIES, SERIES[0]]), f"$.series[{len(SERIES)}]", "is there twice"),
        (GOOD.replace(b'"load_after":1.0', b'"load_after":NaN'), "", "malformed"),
        (b" " * (MOST_BYTES + 1), "", "5,000,001 bytes"),
    ],
)
def test_a_fault_is_named_with_its_field(tmp_path: Path, data: bytes, field: str, message: str) -> None:
    problem = only_problem(tmp_path, data)
    assert message in problem.message
    if field:
        assert problem.field == field


TAKEN_AGAIN = {**SERIES[0]["samples"], "round": [1, 1, 2], "status": ["failed", "ok", "ok"]}


@pytest.mark.parametrize("data", [altered(*CELL, to=2**63 - 1), altered("series", 0, "samples", to=TAKEN_AGAIN)])
def test_unusual_but_valid_files_are_accepted(tmp_path: Path, data: bytes) -> None:
    for name in ("local/run/copy.json", "local/run/again.json", "2026-01-01/b.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    (tmp_path / "README.md").write_text("no result")
    (tmp_path / "result.schema.json").write_bytes(GOOD)
    loaded = load(tmp_path)
    assert [(file.path, file.local) for file in loaded.files] == [("2026-01-01/b.json", False)]
    messages = ["the same bytes as 2026-01-01/b.json"] * 2
    assert [problem.message for problem in loaded.problems] == messages


def test_second_file_of_a_result_and_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(GOOD)
    (tmp_path / "b.json").write_bytes(altered("run", "seed", to=7))
    for name, change in (("run", ("run", "id")), ("machine", ("machine", "label")), ("build", ("build", "version"))):
        (tmp_path / f"other_{name}.json").write_bytes(altered(*change, to="3.99.0"))
    loaded = load(tmp_path)
    assert "b.json" not in {file.path for file in loaded.files}
    assert len(loaded.files) == 4
    (problem,) = loaded.problems
    assert str(problem) == "b.json $.run.id: the same run, machine and build as a.json; remove one of the two"


@pytest.mark.parametrize(
    ("machine", "cpu"), [("my box", "Fixture CPU"), ("My-box", "Fixture CPU"), ("my-box", "Fixture(R)-CPU")]
)
def test_machines_that_would_share_their_pages_are_refused(machine: str, cpu: str, tmp_path: Path) -> None:
    plans = Plan(machine="my-box"), Plan(machine=machine, cpu=cpu, run_id="2"), Plan(machine="my-box", run_id="3")
    for number, plan in enumerate(plans):
        (tmp_path / f"{number}.json").write_bytes(encode(make_record({"primes": some_scenarios()["primes"]}, plan)))
    loaded = load(tmp_path)
    assert [file.path for file in loaded.files] == ["0.json", "2.json"]
    assert [(problem.path, problem.field) for problem in loaded.problems] == [("1.json", "$.machine")]
    assert f"{machine!r} ({cpu}) and 'my-box' (Fixture CPU) would share their pages" in loaded.problems[0].message


def test_links_and_special_files_are_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.json").write_bytes(GOOD)
    results = tmp_path / "results"
    results.mkdir()
    (results / "link.json").symlink_to(outside / "a.json")
    (results / "folder").symlink_to(outside)
    os.mkfifo(results / "pipe.json")
    loaded = load(results)
    assert loaded.files == []
    assert {problem.path: problem.message for problem in loaded.problems} == {
        "folder": "a symbolic link",
        "link.json": "a symbolic link",
        "pipe.json": "not a regular file",
    }


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_or_folder_without_permission_is_named(tmp_path: Path) -> None:
    (tmp_path / "shut").mkdir()
    (tmp_path / "shut.json").write_bytes(GOOD)
    (tmp_path / "shut.json").chmod(0)
    (tmp_path / "shut").chmod(0)
    try:
        problems = load(tmp_path).problems
    finally:
        (tmp_path / "shut").chmod(0o700)
    assert [problem.path for problem in problems] == ["shut", "shut.json"]
    assert all("not readable" in problem.message for problem in problems)


@pytest.mark.parametrize(
    ("given", "local"),
    [
        ("results", True),
        ("results/local", True),
        ("results/local/run/a.json", True),
        ("usr/local/results/2026-01-01", False),
    ],
)
def test_a_file_is_local_by_its_place_below_results(tmp_path: Path, given: str, *, local: bool) -> None:
    for name in ("results/local/run/a.json", "usr/local/results/2026-01-01/a.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(GOOD)
    (file,) = load(tmp_path / given).files
    assert file.local is local


@pytest.mark.parametrize(
    ("status", "read", "problems"),
    [("ok", {"current.json": True, "old.json": False}, []), ("wonderful", {"old.json": True}, ["current.json"])],
)
def test_series_of_older_code_are_read_only_without_current_ones(
    tmp_path: Path, status: str, read: dict[str, bool], problems: list[str]
) -> None:
    old = json.loads(altered("scenario_sha256", to={"primes": "0" * 64}))
    old["run"]["id"] = "another"
    (tmp_path / "old.json").write_text(json.dumps(old))
    (tmp_path / "current.json").write_bytes(altered("series", 0, "status", to=status))
    needed = partial(needed_paths, {"primes": some_scenarios()["primes"]})
    loaded, checked = load_needed(tmp_path, needed, lambda file: (file.path, bool(file.record.series)))
    assert checked == [(path, True) for path, is_needed in read.items() if is_needed]
    assert {file.path: bool(file.record.series) for file in loaded.files} == dict.fromkeys(read, False)
    assert [problem.path for problem in loaded.problems] == problems


def test_mutated_records_are_used_or_named(tmp_path: Path) -> None:
    assert try_records(150, tmp_path, seed=2).keys() == {"used", "left out"}
