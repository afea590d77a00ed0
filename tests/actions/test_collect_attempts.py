"""A run that was run again in part: of each cell the newest attempt that measured it counts."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from artifacts import CELL, EXPECTED, PLAN, at_nothing, collected, files, put, record, statuses

from actions import collect
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from pathlib import Path

    from actions.collect import Collected
    from runners.harness.record.cells_file import Outcome

OTHER = "ubuntu-24.04--3.13"


def again(artifacts: Path, attempt: int) -> Path:
    """Measure the other cell once more, so that its bytes differ."""
    folder = artifacts / f"run-{OTHER}.{attempt}"
    folder.mkdir()
    (folder / f"{OTHER}.json").write_bytes(encode(record("3.13", OTHER, seed=attempt)))
    return folder


def failed(artifacts: Path, attempt: int, reason: str) -> None:
    folder = artifacts / f"run-{OTHER}.{attempt}"
    folder.mkdir()
    (folder / f"{OTHER}.failed.txt").write_text(reason)


def kept(tmp_path: Path) -> bytes:
    return (tmp_path / "out" / "run" / f"{OTHER}.json").read_bytes()


def outcome(found: Collected) -> Outcome:
    (one,) = [one for one in found.outcomes.cells if one.cell == OTHER]
    return one


def test_of_two_attempts_that_measured_the_newer_is_taken(tmp_path: Path) -> None:
    put(tmp_path / "artifacts")
    newest = again(tmp_path / "artifacts", 10)
    again(tmp_path / "artifacts", 9)
    assert collected(tmp_path).refused == []
    assert kept(tmp_path) == (newest / f"{OTHER}.json").read_bytes()


def test_an_attempt_that_failed_does_not_take_the_place_of_one_that_measured(tmp_path: Path) -> None:
    put(tmp_path / "artifacts")
    failed(tmp_path / "artifacts", 2, "the disk was full")
    again(tmp_path / "artifacts", 3).joinpath(f"{OTHER}.json").write_text("{")
    found = collected(tmp_path)
    assert statuses(found) == {CELL: "measured", OTHER: "measured"}
    assert kept(tmp_path) == (tmp_path / "artifacts" / f"run-{OTHER}.1" / f"{OTHER}.json").read_bytes()
    assert outcome(found).reason is None


def test_where_no_attempt_measured_the_newest_says_why(tmp_path: Path) -> None:
    put(tmp_path / "artifacts")
    shutil.rmtree(tmp_path / "artifacts" / f"run-{OTHER}.1")
    failed(tmp_path / "artifacts", 1, "no such Python")
    failed(tmp_path / "artifacts", 2, "the disk was full")
    found = collected(tmp_path)
    assert statuses(found)[OTHER] == "failed"
    assert outcome(found).reason == "the disk was full"


def test_what_an_attempt_before_the_plan_measured_is_not_looked_at(tmp_path: Path) -> None:
    put(tmp_path / "artifacts")
    later = EXPECTED._replace(run_id="2026-01-01-gh1001.2")
    found = collect.collect(PLAN, tmp_path / "artifacts", tmp_path / "out", later, at_nothing)
    assert {one.reason for one in found.outcomes.cells} == {"it did not come back"}
    assert not any("no cell of the plan" in reason for reason in found.refused)
    assert files(tmp_path / "out") == {"cells.json"}


def test_names_without_an_attempt_or_with_an_odd_one_are_no_cell_s(tmp_path: Path) -> None:
    put(tmp_path / "artifacts")
    odd = [f"run-{CELL}{end}" for end in ("", ".0", ".x", ".99999", ".\N{ARABIC-INDIC DIGIT ONE}")]
    for name in (*odd, "run-plan.2", "run-plan.1"):
        (tmp_path / "artifacts" / name).mkdir()
    found = collected(tmp_path)
    assert found.refused == [f"{name}: no cell of the plan" for name in sorted(odd)]
