"""The commands of workflows: outputs, refusals, and publishing what was collected."""

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from repository import bare, git, list_files
from workflow import collect, make_plan, place

from actions.__main__ import main
from actions.artifacts import compute_digest
from actions.collect import FOREIGN_ARTIFACT
from actions.dispatch import COST, NOT_PLANNED
from actions.job import make_inert
from actions.publish import KEPT, read_files

__all__ = ["place"]

RUN = "2026-01-01/2026-01-01-gh1001-1"
OWN = f"{RUN}/ubuntu-24.04--3.14.json"


def outputs(place: Path) -> dict[str, str]:
    return dict(line.split("=", 1) for line in (place / "output").read_text().splitlines())


def test_plan_is_written_and_its_outputs_set(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INPUT_PUBLISH", "no")
    make_plan(place, monkeypatch, "3.14, 3.13, 3.14t")
    values = outputs(place)
    first, second = json.loads(values["matrix"])["include"]
    step_minutes = 30 + 2 * (5 + 4) + 15
    minutes = {"step_minutes": step_minutes, "job_minutes": 5 + step_minutes + 10}
    assert first == {"id": "ubuntu-24.04--job1", "machine": "ubuntu-24.04", "builds": "3.14", **minutes}
    assert (second["id"], second["builds"]) == ("ubuntu-24.04--job2", "3.13, 3.14t")
    assert values["publish"] == "false"
    assert re.fullmatch(r"\d{4}-\d\d-\d\d-gh1001\.1", values["run_id"])
    plan = (place / "plan.json").read_bytes()
    assert values["plan_sha256"] == hashlib.sha256(plan).hexdigest()
    assert json.loads(plan)["publish"] is False
    assert COST.format(3, 2, 9 + 17) in (place / "summary").read_text()


@pytest.mark.parametrize(
    ("inputs", "reason"),
    [
        ({"MACHINES": "a\nmatrix=evil"}, "ubuntu-24.04"),
        ({"PYTHONS": "3.13+aiohttp==3.13.5", "SCENARIOS": "primes"}, "3.13+aiohttp==3.13.5 would measure nothing"),
        ({"PYTHONS": ",".join(f"3.13+PYTHONHASHSEED={number}" for number in range(150))}, "these are 300 jobs"),
        ({"PROFILE": "quick", "SCENARIOS": "primes, everyday"}, "profile quick measures nothing of everyday"),
        ({"PROFILE": "full", "SCENARIOS": "crossover"}, "profile full measures nothing of crossover"),
        ({"PROFILE": "full", "ROUNDS": "20"}, "rounds is 20; at most "),
        ({"PROFILE": "map", "SCENARIOS": "crossover", "ROUNDS": "13"}, "rounds is 13; at most "),
    ],
)
def test_run_that_can_not_be_measured_is_refused(
    place: Path, monkeypatch: pytest.MonkeyPatch, inputs: dict[str, str], reason: str
) -> None:
    for name, value in inputs.items():
        monkeypatch.setenv(f"INPUT_{name}", value)
    done = CliRunner().invoke(main, ["plan", f"--out={place}"])
    assert (done.exit_code, reason in done.output) == (2, True)
    errors = [line.removeprefix("::error::") for line in done.output.splitlines() if line.startswith("::error::")]
    assert make_inert(reason) in errors[0]
    assert (place / "summary").read_text() == "\n".join([NOT_PLANNED, *(f"- {each}" for each in errors), ""])
    assert not (place / "output").exists()


def test_cells_of_an_empty_run_are_reported(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_plan(place, monkeypatch)
    (place / "artifacts" / "x\n::error::y").mkdir(parents=True)
    done = collect(place)
    assert done.exit_code == 0, done.output
    assert "measured: 0 of 1 cells\n" in done.output
    assert f"- {FOREIGN_ARTIFACT.format('x : :error: :y')}" in (place / "summary").read_text().splitlines()
    (cell,) = json.loads((place / "collected" / RUN / "cells.json").read_bytes())["cells"]
    assert cell["status"] == "failed"
    assert "| ubuntu-24.04--3.14 |  | failed |" in (place / "summary").read_text()
    assert outputs(place)["missing"] == "1"
    assert outputs(place)["collected_sha256"] == compute_digest(read_files(place / "collected"))


@pytest.mark.parametrize("name", ["../../etc", "2026-01-01-gh1001", "x"])
def test_foreign_run_id_is_refused(place: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    make_plan(place, monkeypatch)
    monkeypatch.setenv("RUN_ID", name)
    assert collect(place).exit_code == 2
    assert not (place / "collected").exists()


@pytest.fixture
def run(place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Collect a run without artifacts, next to the repository that takes it."""
    make_plan(place, monkeypatch)
    monkeypatch.setenv("GITHUB_SERVER_URL", f"file://{place}")
    bare(place / "a" / "b")
    collect(place)
    monkeypatch.setenv("COLLECTED_SHA256", outputs(place)["collected_sha256"])
    return place


def publish(run: Path) -> Result:
    options = [f"--plan={run / 'plan.json'}", f"--files={run / 'collected'}", "--branch=main"]
    return CliRunner().invoke(main, ["publish", *options])


def published(run: Path) -> set[str]:
    return list_files(run / "a" / "b") - {"README"}


def test_published_file_is_kept_and_named(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for text in ("first", "again"):
        (run / "collected" / OWN).write_text(text)
        monkeypatch.setenv("COLLECTED_SHA256", compute_digest(read_files(run / "collected")))
        done = publish(run)
        assert done.exit_code == 0, done.output
    assert published(run) == {f"results/{RUN}/cells.json", f"results/{OWN}"}
    assert git("show", f"main:results/{OWN}", cwd=run / "a" / "b") == "first"
    head = git("rev-parse", "main", cwd=run / "a" / "b")
    assert {f"main is at {head}", KEPT.format(name=OWN, branch="main")} <= {*done.output.splitlines()}


def lead_elsewhere(path: Path) -> None:
    path.unlink()
    path.symlink_to("/etc/hostname")


@pytest.mark.parametrize("act", [Path.unlink, lambda path: path.write_text("{}"), lead_elsewhere])
def test_changed_files_are_not_published(run: Path, act: Callable[[Path], object]) -> None:
    act(run / "collected" / RUN / "cells.json")
    assert publish(run).exit_code == 2
    assert published(run) == set()


@pytest.mark.parametrize(
    "name",
    [
        f"{RUN}/ubuntu-24.04--3.13.json",
        f"{RUN}/deeper/cells.json",
        "2026-01-02/2026-01-01-gh1001-1/cells.json",
        "2026-01-01/2026-01-01-gh1001-2/cells.json",
        "cells.json",
        ".git/config",
    ],
)
def test_unplanned_name_is_refused_despite_its_digest(run: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    path = run / "collected" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{}")
    monkeypatch.setenv("COLLECTED_SHA256", compute_digest(read_files(run / "collected")))
    done = publish(run)
    assert (done.exit_code, f"{name!r} is not in" in done.output) == (2, True)
    assert published(run) == set()
