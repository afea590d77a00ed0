"""Taking in artifacts: what is as planned is kept, the rest is refused by name, and nothing is written elsewhere."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from factory import COMMIT, Plan, build, make, some_scenarios

from runners.harness import collect, matrix
from runners.harness.codec import encode
from runners.harness.collect import Collected, Expected

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from runners.harness.record import Record

EXPECTED = Expected("2026-01-01-gh1001", COMMIT, "https://example.org/r/actions/runs/1001")
SCENARIOS = {"primes": some_scenarios()["primes"]}
PLAN = matrix.planned(
    {"machines": "ubuntu-24.04", "pythons": "3.13,3.14t", "profile": "full", "scenarios": "primes", "note": "a note"},
    ["primes", "power"],
)
CELL = "ubuntu-24.04--3.14t"


def record(python: str, cell: str = CELL, **changes: Any) -> Record:  # noqa: ANN401 - of the run
    builds = {"3.13": build("3.13.1"), "3.14t": build("3.14.0", free_threaded=True)}
    facts = Plan(
        build=builds[python], reference=builds["3.13"], machine="ubuntu-24.04", run_id=f"{EXPECTED.run_id}.{cell}"
    )
    made = make(SCENARIOS, facts)
    own = [series for series in made.series if series.role != "reference"]
    run = msgspec.structs.replace(
        made.run, **{"scenarios": ["primes"], "url": EXPECTED.url, "trigger": "dispatch", **changes}
    )
    return msgspec.structs.replace(made, run=run, series=own)


def put(artifacts: Path) -> None:
    """Lay out what two good jobs bring."""
    (artifacts / f"run-{CELL}").mkdir(parents=True)
    (artifacts / f"run-{CELL}" / f"{CELL}.json").write_bytes(encode(record("3.14t")))
    (artifacts / f"run-{CELL}" / f"{CELL}.reference.json").write_bytes(encode(record("3.13")))
    other = "ubuntu-24.04--3.13"
    (artifacts / f"run-{other}").mkdir()
    (artifacts / f"run-{other}" / f"{other}.json").write_bytes(encode(record("3.13", other)))


def collected(tmp_path: Path) -> Collected:
    return collect.collect(PLAN, tmp_path / "artifacts", tmp_path / "out" / "run", EXPECTED)


def statuses(found: Collected) -> dict[str, str]:
    return {one.cell: one.status for one in found.outcomes.cells}


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_what_is_as_planned_is_kept_byte_for_byte(tmp_path: Path) -> None:
    put(tmp_path / "artifacts")
    found = collected(tmp_path)
    assert found.refused == []
    assert set(statuses(found).values()) == {"measured"}
    expected = {f"{CELL}.json", f"{CELL}.reference.json", "ubuntu-24.04--3.13.json", "cells.json"}
    assert files(tmp_path / "out" / "run") == expected
    kept = (tmp_path / "out" / "run" / f"{CELL}.json").read_bytes()
    assert kept == (tmp_path / "artifacts" / f"run-{CELL}" / f"{CELL}.json").read_bytes()


def test_a_cell_that_brought_nothing_is_published_as_failed(tmp_path: Path) -> None:
    put(tmp_path / "artifacts")
    (tmp_path / "artifacts" / f"run-{CELL}" / f"{CELL}.json").unlink()
    found = collected(tmp_path)
    assert statuses(found) == {CELL: "failed", "ubuntu-24.04--3.13": "measured"}
    told = json.loads((tmp_path / "out" / "run" / "cells.json").read_bytes())
    assert told["note"] == "a note"
    assert any("did not come back" in (one["reason"] or "") for one in told["cells"])


def broken(change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    def act(path: Path) -> None:
        path.write_bytes(change(path.read_bytes()))

    return act


def said(python: str = "3.14t", **changes: Any) -> Callable[[Path], None]:  # noqa: ANN401 - of the run
    return lambda path: path.write_bytes(encode(record(python, **changes)))  # type: ignore[return-value]


def deep(path: Path) -> None:
    path.write_bytes(b"[" * 100_000 + b"]" * 100_000)


def linked(path: Path) -> None:
    secret = path.parents[2] / "secret.json"
    secret.write_bytes(path.read_bytes())
    path.unlink()
    path.symlink_to(secret)


def huge(path: Path) -> None:
    with path.open("wb") as stream:
        stream.truncate(200_000_000)


HOSTILE: dict[str, tuple[Callable[[Path], object], str]] = {
    "cut off": (broken(lambda data: data[: len(data) // 2]), ""),
    "not a number": (broken(lambda data: data.replace(b'"seed":0', b'"seed":NaN')), ""),
    "infinity": (broken(lambda data: data.replace(b'"seed":0', b'"seed":Infinity')), ""),
    "nested deeply": (deep, ""),
    "a symbolic link": (linked, "not a plain file"),
    "200 MB": (huge, "200,000,000 bytes"),
    "another run's": (said(id="2026-01-01-gh999.x"), "the run's id is"),
    "another cell's": (said(id=f"{EXPECTED.run_id}.ubuntu-24.04--3.10"), "the run's id is"),
    "another commit": (said(commit="0" * 40), "the commit is"),
    "changed code": (said(dirty=True), "whether files were changed is"),
    "fewer rounds": (said(rounds=2), "the rounds is"),
    "the other profile": (said(profile="quick"), "the profile is"),
    "another build": (said("3.13"), "the build is '3.13', not '3.14t'"),
    "an unknown field": (broken(lambda data: data.replace(b'"complete":', b'"extra":1,"complete":')), "extra"),
    "a script in the machine's name": (
        broken(lambda data: data.replace(b'"label":"ubuntu-24.04"', b'"label":"<script>alert(1)</script>"')),
        "the machine is",
    ),
    "not complete": (
        broken(lambda data: data.replace(b'"complete":true', b'"complete":false')),
        "whether it is complete",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_by_name_and_the_others_are_kept(tmp_path: Path, name: str) -> None:
    put(tmp_path / "artifacts")
    act, reason = HOSTILE[name]
    act(tmp_path / "artifacts" / f"run-{CELL}" / f"{CELL}.json")
    found = collected(tmp_path)
    (refused,) = found.refused
    assert refused.startswith(f"{CELL}/{CELL}.json: ")
    assert reason in refused
    assert statuses(found) == {CELL: "failed", "ubuntu-24.04--3.13": "measured"}
    assert f"{CELL}.json" not in files(tmp_path / "out" / "run")


def test_files_and_artifacts_that_nobody_planned_are_left_out_and_named(tmp_path: Path) -> None:
    artifacts = tmp_path / "artifacts"
    put(artifacts)
    (artifacts / f"run-{CELL}" / "extra.json").write_text("{}")
    (artifacts / f"run-{CELL}" / "deeper").mkdir()
    (artifacts / f"run-{CELL}" / "deeper" / f"{CELL}.json").write_text("{}")
    (artifacts / "evil--1").mkdir()
    found = collected(tmp_path)
    assert set(statuses(found).values()) == {"measured"}
    assert any("extra.json" in reason for reason in found.refused)
    assert any("deeper" in reason for reason in found.refused)
    assert "evil--1: no cell of the plan" in found.refused
    assert "extra.json" not in files(tmp_path / "out")


def test_an_artifact_that_is_a_link_out_of_its_folder_is_refused(tmp_path: Path) -> None:
    artifacts = tmp_path / "artifacts"
    put(artifacts)
    (artifacts / f"run-{CELL}").rename(tmp_path / "elsewhere")
    (artifacts / f"run-{CELL}").symlink_to(tmp_path / "elsewhere")
    found = collected(tmp_path)
    assert statuses(found)[CELL] == "failed"
    assert any("symbolic link" in reason for reason in found.refused)


def test_an_excluded_cell_is_among_the_outcomes(tmp_path: Path) -> None:
    plan = matrix.planned({"machines": "windows-11-arm", "pythons": "3.10,3.14"}, ["primes"])
    found = collect.collect(plan, tmp_path / "none", tmp_path / "out", EXPECTED)
    assert statuses(found) == {"windows-11-arm--3.14": "failed", "windows-11-arm--3.10": "excluded"}


def test_the_summary_quotes_nothing_that_could_act(tmp_path: Path) -> None:
    put(tmp_path / "artifacts")
    (tmp_path / "artifacts" / "<img src=x>|`id`").mkdir()
    text = collect.summary(collected(tmp_path))
    assert "| ubuntu-24.04 | 3.14t | measured |" in text
    assert "<img" not in text
    assert "`" not in text
