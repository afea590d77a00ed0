"""The commands that workflows call: what they hand on, and what they refuse."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from workflow import planned, told

from actions import job_summary
from actions.artifacts import digest
from actions.commands import main
from actions.publish import read_files

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["told"]


def test_a_plan_is_written_and_its_matrix_handed_on(told: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INPUT_MACHINES", "ubuntu-24.04")
    monkeypatch.setenv("INPUT_PYTHONS", "3.13, 3.14t")
    monkeypatch.setenv("INPUT_PUBLISH", "no")
    done = CliRunner().invoke(main, ["plan", f"--out={told}"])
    assert done.exit_code == 0, done.output
    outputs = dict(line.split("=", 1) for line in (told / "output").read_text().splitlines())
    assert [cell["id"] for cell in json.loads(outputs["matrix"])["include"]] == [
        "ubuntu-24.04--3.13",
        "ubuntu-24.04--3.14t",
    ]
    assert outputs["publish"] == "false"
    assert re.fullmatch(r"\d{4}-\d\d-\d\d-gh1001\.1", outputs["run_id"])
    assert outputs["plan_sha256"] == hashlib.sha256((told / "plan.json").read_bytes()).hexdigest()
    assert json.loads((told / "plan.json").read_bytes())["publish"] is False


@pytest.mark.parametrize("hostile", ["$(reboot)", 'x"; y', "a\nmatrix=evil", "m," * 300])
def test_a_hostile_input_is_refused_with_the_known_names_and_hands_nothing_on(
    told: Path, monkeypatch: pytest.MonkeyPatch, hostile: str
) -> None:
    monkeypatch.setenv("INPUT_MACHINES", hostile)
    done = CliRunner().invoke(main, ["plan", f"--out={told}"])
    assert done.exit_code == 2
    assert "ubuntu-24.04" in done.output
    assert not (told / "output").exists()


def test_of_a_run_that_measured_nothing_every_cell_is_still_told(told: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planned(told, monkeypatch)
    options = [f"--plan={told / 'plan.json'}", f"--artifacts={told / 'none'}", f"--out={told / 'out'}"]
    done = CliRunner().invoke(main, ["collect", *options])
    assert done.exit_code == 0, done.output
    assert "0 of 1 cells measured" in done.output
    assert "measured=0" in (told / "output").read_text().splitlines()
    outcomes = json.loads((told / "out" / "2026-01-01" / "2026-01-01-gh1001-1" / "cells.json").read_bytes())
    assert outcomes["cells"][0]["status"] == "failed"
    assert "| ubuntu-24.04 | 3.13 | failed |" in (told / "summary").read_text()
    assert f"collected_sha256={digest(read_files(told / 'out'))}" in (told / "output").read_text().splitlines()


def test_a_board_that_can_not_be_made_loses_no_run(told: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planned(told, monkeypatch)
    monkeypatch.delattr(job_summary, "Board")
    options = [f"--plan={told / 'plan.json'}", f"--artifacts={told / 'none'}", f"--out={told / 'out'}"]
    done = CliRunner().invoke(main, ["collect", *options])
    assert done.exit_code == 0, done.output
    assert "no board: NameError" in (told / "summary").read_text()
    assert "measured=0" in (told / "output").read_text().splitlines()


def test_what_an_artifact_is_called_begins_no_command_in_the_log(told: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planned(told, monkeypatch)
    (told / "artifacts" / "x\n::error::y").mkdir(parents=True)
    options = [f"--plan={told / 'plan.json'}", f"--artifacts={told / 'artifacts'}", f"--out={told / 'out'}"]
    done = CliRunner().invoke(main, ["collect", *options])
    assert "refused: x : :error: :y: no cell of the plan, or no attempt so far" in done.output.splitlines()


def test_a_plan_that_another_job_put_in_its_place_is_refused(told: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planned(told, monkeypatch)
    plan = told / "plan.json"
    plan.write_bytes(plan.read_bytes().replace(b"quick", b"full"))
    done = CliRunner().invoke(main, ["collect", f"--plan={plan}", f"--artifacts={told}", f"--out={told}"])
    assert done.exit_code == 2
    assert "not the plan that this run made" in done.output


@pytest.mark.parametrize("name", ["../../etc", "2026-01-01-gh1001", "x", "2026-13-41-gh1001.1"])
def test_a_run_s_name_that_no_plan_made_is_refused(told: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    planned(told, monkeypatch)
    monkeypatch.setenv("RUN_ID", name)
    options = [f"--plan={told / 'plan.json'}", f"--artifacts={told}", f"--out={told / 'out'}"]
    done = CliRunner().invoke(main, ["collect", *options])
    assert done.exit_code == 2
    assert "RUN_ID is" in done.output
    assert not (told / "out").exists()


def test_a_missing_variable_is_named(told: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planned(told, monkeypatch)
    monkeypatch.delenv("GITHUB_SHA")
    done = CliRunner().invoke(main, ["collect", f"--plan={told / 'plan.json'}", f"--artifacts={told}", f"--out={told}"])
    assert done.exit_code == 2
    assert "GITHUB_SHA is not set" in done.output


def test_a_plan_that_is_none_is_named(told: Path) -> None:
    (told / "plan.json").write_text("{")
    done = CliRunner().invoke(main, ["collect", f"--plan={told / 'plan.json'}", f"--artifacts={told}", f"--out={told}"])
    assert done.exit_code == 2
    assert "plan.json is no plan" in done.output
