"""The commands of workflows: their outputs, what they refuse, and that they publish what was collected."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest
from click.testing import CliRunner
from repository import bare, files_of, git
from workflow import collect, place, planned

from actions import job_summary
from actions.__main__ import main
from actions.artifacts import compute_digest
from actions.publish import read_files

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.testing import Result

__all__ = ["place"]

RUN = "2026-01-01/2026-01-01-gh1001-1"


def outputs(place: Path) -> dict[str, str]:
    return dict(line.split("=", 1) for line in (place / "output").read_text().splitlines())


def rejected(done: Result, words: str) -> None:
    assert done.exit_code == 2
    assert words in done.output


def test_plan_is_written_and_its_outputs_set(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INPUT_PUBLISH", "no")
    planned(place, monkeypatch, "3.14, 3.13, 3.14t")
    handed_on = outputs(place)
    one, other = json.loads(handed_on["matrix"])["include"]
    assert one == {
        "id": "ubuntu-24.04--job1",
        "machine": "ubuntu-24.04",
        "builds": "3.14",
        "step_minutes": 30 + 2 * (5 + 4) + 15,
        "job_minutes": 5 + 30 + 2 * (5 + 4) + 25,
    }
    assert (other["id"], other["builds"]) == ("ubuntu-24.04--job2", "3.13, 3.14t")
    assert handed_on["publish"] == "false"
    assert re.fullmatch(r"\d{4}-\d\d-\d\d-gh1001\.1", handed_on["run_id"])
    plan = (place / "plan.json").read_bytes()
    assert handed_on["plan_sha256"] == hashlib.sha256(plan).hexdigest()
    assert json.loads(plan)["publish"] is False
    summary = (place / "summary").read_text()
    assert "\n3 cells in 2 jobs: at most about 26 minutes.\n" in summary
    assert "\n| ubuntu-24.04--job2 | 3.14, 3.13, 3.14t | 17 |\n" in summary


def test_hostile_input_sets_no_output(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INPUT_MACHINES", "a\nmatrix=evil")
    rejected(CliRunner().invoke(main, ["plan", f"--out={place}"]), "ubuntu-24.04")
    assert not (place / "output").exists()


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ({"PYTHONS": "3.13+aiohttp==3.13.5", "SCENARIOS": "primes"}, "3.13+aiohttp==3.13.5 would measure nothing"),
        ({"PYTHONS": ",".join(f"3.13+PYTHONHASHSEED={number}" for number in range(150))}, "these are 300 jobs"),
        (
            {"PROFILE": "quick", "SCENARIOS": "primes, everyday"},
            "profile quick measures nothing of everyday: choose profile full, or leave them out",
        ),
        (
            {"PROFILE": "full", "SCENARIOS": "crossover"},
            "profile full measures nothing of crossover: choose profile map, or leave them out",
        ),
        (
            {"PROFILE": "full", "ROUNDS": "20"},
            "rounds is 20; at most ",
        ),
        (
            {"PROFILE": "map", "SCENARIOS": "crossover", "ROUNDS": "13"},
            "fit into a file that is published: choose fewer rounds",
        ),
    ],
)
def test_run_that_can_not_be_measured_is_refused(
    place: Path, monkeypatch: pytest.MonkeyPatch, inputs: dict[str, str], words: str
) -> None:
    for name, value in inputs.items():
        monkeypatch.setenv(f"INPUT_{name}", value)
    rejected(CliRunner().invoke(main, ["plan", f"--out={place}"]), words)


@pytest.mark.parametrize(("ref", "publish"), [("refs/heads/main", "yes"), ("refs/heads/try", "no"), ("", "yes")])
def test_run_of_another_branch_is_not_published(
    place: Path, monkeypatch: pytest.MonkeyPatch, ref: str, publish: str
) -> None:
    words = "only runs on main are published: these results stay in the artifact `collected.1`"
    if ref:
        monkeypatch.setenv("GITHUB_REF", ref)
    monkeypatch.setenv("INPUT_PUBLISH", publish)
    planned(place, monkeypatch)
    assert words not in (place / "summary").read_text()
    monkeypatch.setenv("GITHUB_REF", "refs/heads/try")
    monkeypatch.setenv("INPUT_PUBLISH", "yes")
    assert words in CliRunner().invoke(main, ["plan", f"--out={place}"]).output
    assert words in (place / "summary").read_text()


def test_cells_of_an_empty_run_are_reported(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planned(place, monkeypatch)
    done = collect(place)
    assert done.exit_code == 0, done.output
    assert "measured: 0 of 1 cells\n" in done.output
    (cell,) = json.loads((place / "collected" / RUN / "cells.json").read_bytes())["cells"]
    assert cell["status"] == "failed"
    assert "| ubuntu-24.04 | 3.14 | 3.14 | failed |" in (place / "summary").read_text()
    assert outputs(place)["missing"] == "1"
    assert outputs(place)["collected_sha256"] == compute_digest(read_files(place / "collected"))


def test_board_that_fails_loses_no_run(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaking(*_: object) -> NoReturn:
        msg = "it\n::broke::"
        raise RuntimeError(msg)

    planned(place, monkeypatch)
    monkeypatch.setattr(job_summary, "check_records", breaking)
    done = collect(place)
    assert done.exit_code == 0, done.output
    words = r"no board: RuntimeError: it : :broke: : \(actions/job_summary\.py:\d+\)\n"
    assert re.search(words + r"\Z", (place / "summary").read_text())
    assert outputs(place)["missing"] == "1"


def test_name_of_an_artifact_is_inert_in_the_log(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planned(place, monkeypatch)
    (place / "artifacts" / "x\n::error::y").mkdir(parents=True)
    done = collect(place, "artifacts")
    assert "refused: x : :error: :y: no job of the plan, or no attempt so far" in done.output.splitlines()


def test_replaced_plan_is_refused(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planned(place, monkeypatch)
    plan = place / "plan.json"
    plan.write_bytes(plan.read_bytes().replace(b"quick", b"full"))
    rejected(collect(place), "not the plan that this run made")


@pytest.mark.parametrize("name", ["../../etc", "2026-01-01-gh1001", "x"])
def test_foreign_run_id_is_refused(place: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    planned(place, monkeypatch)
    monkeypatch.setenv("RUN_ID", name)
    rejected(collect(place), "RUN_ID is")
    assert not (place / "collected").exists()


@pytest.fixture
def run(place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Collect a run of which nothing came back, beside the repository that takes it."""
    planned(place, monkeypatch)
    monkeypatch.setenv("GITHUB_SERVER_URL", f"file://{place}")
    bare(place / "a" / "b")
    collect(place)
    monkeypatch.setenv("COLLECTED_SHA256", outputs(place)["collected_sha256"])
    return place


def published(run: Path) -> set[str]:
    return files_of(run / "a" / "b") - {"README"}


def publish(run: Path) -> Result:
    options = [f"--plan={run / 'plan.json'}", f"--files={run / 'collected'}", "--branch=main"]
    return CliRunner().invoke(main, ["publish", *options])


def test_collected_files_are_published(run: Path) -> None:
    done = publish(run)
    assert done.exit_code == 0, done.output
    assert published(run) == {f"results/{RUN}/cells.json"}
    assert f"main is at {git('rev-parse', 'main', cwd=run / 'a' / 'b')}" in done.output.splitlines()


def lead_elsewhere(path: Path) -> None:
    path.unlink()
    path.symlink_to("/etc/hostname")


@pytest.mark.parametrize("act", [Path.unlink, lambda path: path.write_text("{}"), lead_elsewhere])
def test_changed_files_are_not_published(run: Path, act: Callable[[Path], object]) -> None:
    act(run / "collected" / RUN / "cells.json")
    rejected(publish(run), "does not hold what this run collected")
    assert published(run) == set()


@pytest.mark.parametrize(
    "name",
    [
        f"{RUN}/ubuntu-24.04--3.13.json",
        f"{RUN}/README",
        f"{RUN}/deeper/cells.json",
        "2026-01-02/2026-01-01-gh1001-1/cells.json",
        "2026-01-01/2026-01-01-gh1001-2/cells.json",
        "2026-01-01/2026-01-01-gh1001-0/cells.json",
        "cells.json",
        ".git/config",
    ],
)
def test_unplanned_name_is_refused_despite_its_digest(run: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    path = run / "collected" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{}")
    monkeypatch.setenv("COLLECTED_SHA256", compute_digest(read_files(run / "collected")))
    rejected(publish(run), f"{name!r} is no file of this run's plan: nothing was published")
    assert published(run) == set()


def test_published_file_is_kept_and_named(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = run / "collected" / RUN / "ubuntu-24.04--3.14.json"
    for text in ("first", "again"):
        own.write_text(text)
        monkeypatch.setenv("COLLECTED_SHA256", compute_digest(read_files(run / "collected")))
        done = publish(run)
        assert done.exit_code == 0, done.output
    line = f"results/{RUN}/ubuntu-24.04--3.14.json is on main already with other bytes, and stays as it is"
    assert line in done.output.splitlines()
    assert f"- {line}" in (run / "summary").read_text().splitlines()
    assert git("show", f"main:results/{RUN}/ubuntu-24.04--3.14.json", cwd=run / "a" / "b") == "first"
