"""The workflows, and their commands."""

import hashlib
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from actions.__main__ import main
from actions.dispatch import INPUTS
from runners.harness.catalogue import scenarios as catalogue

FOLDER = catalogue.ROOT / ".github" / "workflows"
MATRIX = catalogue.ROOT / "runners" / "harness" / "matrix.toml"
"""The real one; tests use a copy that never changes."""
WORKFLOWS = {path.name: yaml.safe_load(path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.yml")}


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


def make_plan(folder: Path, monkeypatch: pytest.MonkeyPatch, pythons: str = "3.14") -> None:
    """Plan a run on one machine, and set its digest as the workflow does."""
    monkeypatch.setenv("INPUT_MACHINES", "ubuntu-24.04")
    monkeypatch.setenv("INPUT_PYTHONS", pythons)
    CliRunner().invoke(main, ["plan", f"--out={folder}"])
    monkeypatch.setenv("PLAN_SHA256", hashlib.sha256((folder / "plan.json").read_bytes()).hexdigest())


def collect(place: Path, artifacts: str = "artifacts") -> Result:
    """Collect from a folder by the plan."""
    options = [f"--plan={place / 'plan.json'}", f"--artifacts={place / artifacts}", f"--out={place / 'collected'}"]
    return CliRunner().invoke(main, ["collect", *options])
