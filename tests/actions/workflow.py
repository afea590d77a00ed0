"""The workflows as they are written, and what they hand to the commands that they call."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

import pytest
import yaml
from click.testing import CliRunner

from actions.__main__ import main
from actions.dispatch import INPUTS
from runners.harness import matrix
from runners.harness.catalogue import scenarios as catalogue

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

FOLDER = catalogue.ROOT / ".github" / "workflows"
MATRIX = catalogue.ROOT / "runners" / "harness" / "matrix.toml"
"""The one that runs read; tests have a copy, but where they say so."""
WORKFLOWS = {path.name: yaml.safe_load(path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.yml")}


def need_the_same_matrix() -> None:
    """Skip where matrix.toml is not what its copy is, as in a fork that has changed its own; here that is a failure."""
    if matrix.read(MATRIX) == matrix.read():
        return
    differ = "runners/harness/matrix.toml holds other things than tests/matrix.toml"
    if os.environ.get("REQUIRE_SAME_MATRIX") == "1":
        mend = "copy it there, and mend the figures of README.md, .github/workflows/README.md and measure.yml"
        pytest.fail(f"{differ}: {mend} (in a fork set REQUIRE_SAME_MATRIX=0)", pytrace=False)
    pytest.skip(f"{differ}: for the figures of the READMEs to be compared, copy it there")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    others = ("COLLECTED_SHA256", "GITHUB_EVENT_NAME", "GITHUB_REF", "GITHUB_TOKEN", "RUNNER_ARCH", "RUNNER_OS")
    for name in (*others, *(f"INPUT_{name.upper()}" for name in INPUTS)):
        monkeypatch.delenv(name, raising=False)
    for name, value in {
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
        "RUN_ID": "2026-01-01-gh1001.1",
        "GITHUB_RUN_ATTEMPT": "1",
        "GITHUB_RUN_ID": "1001",
        "GITHUB_SERVER_URL": "https://example.org",
        "GITHUB_REPOSITORY": "a/b",
        "GITHUB_SHA": "f" * 40,
    }.items():
        monkeypatch.setenv(name, value)
    return tmp_path


def planned(folder: Path, monkeypatch: pytest.MonkeyPatch, pythons: str = "3.14") -> None:
    """Plan a run on one machine, and hand the plan on as the workflow does."""
    monkeypatch.setenv("INPUT_MACHINES", "ubuntu-24.04")
    monkeypatch.setenv("INPUT_PYTHONS", pythons)
    CliRunner().invoke(main, ["plan", f"--out={folder}"])
    monkeypatch.setenv("PLAN_SHA256", hashlib.sha256((folder / "plan.json").read_bytes()).hexdigest())


def collect(place: Path, artifacts: str = "none") -> Result:
    """Take in what lies in a folder, by the plan that was made."""
    options = [f"--plan={place / 'plan.json'}", f"--artifacts={place / artifacts}", f"--out={place / 'collected'}"]
    return CliRunner().invoke(main, ["collect", *options])
