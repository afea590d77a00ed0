"""A folder with every kind of broken file: each is named with its field, and the others are used."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from factory import Plan, make, some_scenarios

from generate.data.read import MOST_BYTES, load
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from pathlib import Path

    from generate.data.files import Problem

GOOD = encode(make({"primes": some_scenarios()["primes"]}, Plan(rounds=3)))
SERIES = json.loads(GOOD)["series"]
CELL = ("series", 0, "samples", "values", "elapsed_ns", 1)


def altered(*path: str | int, to: object) -> bytes:
    """Give the good record with one field changed."""
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


def test_files_below_a_folder_are_found_in_order(tmp_path: Path) -> None:
    for name, seed in (("local/2026-01-02/b.json", 1), ("2026-01-01/run/a.json", 2), ("result.schema.json", 3)):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        record = make({"primes": some_scenarios()["primes"]}, Plan(rounds=1, seed=seed))
        (tmp_path / name).write_bytes(encode(record))
    (tmp_path / "README.md").write_text("no result")
    loaded = load(tmp_path)
    assert loaded.problems == []
    assert [(file.path, file.local) for file in loaded.files] == [
        ("2026-01-01/run/a.json", False),
        ("local/2026-01-02/b.json", True),
    ]
    assert loaded.files[0].size_bytes == (tmp_path / "2026-01-01/run/a.json").stat().st_size
    assert len(loaded.files[0].sha256) == 64


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("absent", "there is no such file or folder"),
        ("absent.json", "there is no such file or folder"),
        ("README.md", "not a result file: their names end in .json"),
    ],
)
def test_what_is_no_results_is_named_as_given(name: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "README.md").touch()
    (problem,) = load(tmp_path / name).problems
    assert (problem.path, problem.message) == ((tmp_path / name).as_posix(), message)
    assert problem.remedy == "name a result file, or a folder that has some"
    assert str(problem) == f"{problem.path}: {message}; {problem.remedy}"


@pytest.mark.parametrize(
    ("data", "field", "message"),
    [
        (GOOD[: len(GOOD) // 2], "", "truncated"),
        (b"", "", "truncated"),
        (b"not json at all", "", "malformed"),
        (b"[1, 2]", "", "Expected `object`"),
        (b"\xff\xfe{}", "", "malformed"),
        (b'{"a":' * 100_000, "", ""),
        (altered("schema_version", to=3), "$.schema_version", "schema_version is 3; this code reads 2"),
        (altered("schema_version", to="1"), "$.schema_version", "Expected `int"),
        (altered("machine", "usable_cores", to=0), "$.machine.usable_cores", ">= 1"),
        (altered("series", 0, "status", to="wonderful"), "$.series[0].status", "wonderful"),
        (altered("extra", to=1), "", "unknown field `extra`"),
        (altered("series", 0, "samples", "round", to=[1, 2]), "$.series[0].samples.position", "Expected 2 entries"),
        (altered("series", 0, "samples", "round", to=[1, 1, 2]), "$.series[0].samples.round", "measured twice"),
        (altered("series", to=[*SERIES, SERIES[0]]), f"$.series[{len(SERIES)}]", "is there twice"),
        (GOOD.replace(b'"load_after":1.0', b'"load_after":NaN'), "load_after", "malformed"),
    ],
)
def test_a_fault_is_named_with_its_field(tmp_path: Path, data: bytes, field: str, message: str) -> None:
    problem = only_problem(tmp_path, data)
    assert message in problem.message
    if field:
        assert problem.field == field


@pytest.mark.parametrize("number", [2**63, -(2**70), 10**400])
@pytest.mark.parametrize("as_list", [False, True])
def test_whole_numbers_beyond_64_bits_are_refused(tmp_path: Path, number: int, *, as_list: bool) -> None:
    cell = [1, number] if as_list else number
    assert only_problem(tmp_path, altered(*CELL, to=cell)).field.startswith("$.series[0].samples.values")


FAILED_AND_TAKEN_AGAIN = {**SERIES[0]["samples"], "round": [1, 1, 2], "status": ["failed", "ok", "ok"]}


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(altered(*CELL, to=2**63 - 1), id="a long number that fits"),
        pytest.param(altered("series", 0, "samples", to=FAILED_AND_TAKEN_AGAIN), id="a round that was taken again"),
    ],
)
def test_unusual_but_valid_files_are_accepted(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.json").write_bytes(data)
    assert load(tmp_path).problems == []


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    problem = only_problem(tmp_path, b" " * (MOST_BYTES + 1))
    assert "5,000,001 bytes" in problem.message


def test_the_same_bytes_twice_count_once(tmp_path: Path) -> None:
    (tmp_path / "copy.json").write_bytes(GOOD)
    (tmp_path / "good.json").write_bytes(GOOD)
    loaded = load(tmp_path)
    assert [file.path for file in loaded.files] == ["copy.json"]
    assert [problem.message for problem in loaded.problems] == ["the same bytes as copy.json"]


def test_two_files_of_one_result_and_run_are_one_too_many(tmp_path: Path) -> None:
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
        (tmp_path / f"{number}.json").write_bytes(encode(make({"primes": some_scenarios()["primes"]}, plan)))
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


def test_single_files_can_be_given(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(GOOD)
    loaded = load(tmp_path / "a.json", tmp_path / "gone.json")
    assert [file.record.run.rounds for file in loaded.files] == [3]
    assert loaded.problems[0].message == "there is no such file or folder"


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
