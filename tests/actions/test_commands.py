"""The commands that workflows call: what they hand on, and what they refuse."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from workflow import collect, place, planned

from actions import job_summary
from actions.artifacts import digest
from actions.commands import main
from actions.publish import read_files

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["place"]


def test_a_plan_is_written_and_its_matrix_handed_on(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INPUT_MACHINES", "ubuntu-24.04")
    monkeypatch.setenv("INPUT_PYTHONS", "3.13, 3.14t")
    monkeypatch.setenv("INPUT_PUBLISH", "no")
    done = CliRunner().invoke(main, ["plan", f"--out={place}"])
    assert done.exit_code == 0, done.output
    outputs = dict(line.split("=", 1) for line in (place / "output").read_text().splitlines())
    assert [cell["id"] for cell in json.loads(outputs["matrix"])["include"]] == [
        "ubuntu-24.04--3.13",
        "ubuntu-24.04--3.14t",
    ]
    assert outputs["publish"] == "false"
    assert re.fullmatch(r"\d{4}-\d\d-\d\d-gh1001\.1", outputs["run_id"])
    assert outputs["plan_sha256"] == hashlib.sha256((place / "plan.json").read_bytes()).hexdigest()
    assert json.loads((place / "plan.json").read_bytes())["publish"] is False


@pytest.mark.parametrize("hostile", ["$(reboot)", 'x"; y', "a\nmatrix=evil", "m," * 300])
def test_a_hostile_input_is_refused_with_the_known_names_and_hands_nothing_on(
    place: Path, monkeypatch: pytest.MonkeyPatch, hostile: str
) -> None:
    monkeypatch.setenv("INPUT_MACHINES", hostile)
    done = CliRunner().invoke(main, ["plan", f"--out={place}"])
    assert done.exit_code == 2
    assert "ubuntu-24.04" in done.output
    assert not (place / "output").exists()


def test_of_a_run_that_measured_nothing_every_cell_is_still_reported(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned(place, monkeypatch)
    done = collect(place)
    assert done.exit_code == 0, done.output
    assert "0 of 1 cells measured" in done.output
    assert "measured=0" in (place / "output").read_text().splitlines()
    outcomes = json.loads((place / "collected" / "2026-01-01" / "2026-01-01-gh1001-1" / "cells.json").read_bytes())
    assert outcomes["cells"][0]["status"] == "failed"
    assert "| ubuntu-24.04 | 3.13 | failed |" in (place / "summary").read_text()
    assert f"collected_sha256={digest(read_files(place / 'collected'))}" in (place / "output").read_text().splitlines()


def test_a_board_that_can_not_be_made_loses_no_run(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planned(place, monkeypatch)
    monkeypatch.delattr(job_summary, "Board")
    done = collect(place)
    assert done.exit_code == 0, done.output
    assert "no board: NameError" in (place / "summary").read_text()
    assert "measured=0" in (place / "output").read_text().splitlines()


def test_what_an_artifact_is_called_begins_no_command_in_the_log(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planned(place, monkeypatch)
    (place / "artifacts" / "x\n::error::y").mkdir(parents=True)
    done = collect(place, "artifacts")
    assert "refused: x : :error: :y: no cell of the plan, or no attempt so far" in done.output.splitlines()


def test_a_plan_that_another_job_put_in_its_place_is_refused(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planned(place, monkeypatch)
    plan = place / "plan.json"
    plan.write_bytes(plan.read_bytes().replace(b"quick", b"full"))
    done = collect(place)
    assert done.exit_code == 2
    assert "not the plan that this run made" in done.output


@pytest.mark.parametrize("name", ["../../etc", "2026-01-01-gh1001", "x", "2026-13-41-gh1001.1"])
def test_a_run_s_name_that_no_plan_made_is_refused(place: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    planned(place, monkeypatch)
    monkeypatch.setenv("RUN_ID", name)
    done = collect(place)
    assert done.exit_code == 2
    assert "RUN_ID is" in done.output
    assert not (place / "collected").exists()


def test_a_missing_variable_is_named(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planned(place, monkeypatch)
    monkeypatch.delenv("GITHUB_SHA")
    done = collect(place)
    assert done.exit_code == 2
    assert "GITHUB_SHA is not set" in done.output


def test_a_plan_that_is_none_is_named(place: Path) -> None:
    (place / "plan.json").write_text("{")
    done = collect(place)
    assert done.exit_code == 2
    assert "plan.json is no plan" in done.output
