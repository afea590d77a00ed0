"""The workflows, and their commands."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import yaml
from click.testing import CliRunner

from actions.__main__ import main
from runners.harness.catalogue import scenarios as catalogue

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from click.testing import Result

FOLDER = catalogue.ROOT / ".github" / "workflows"
MATRIX = catalogue.ROOT / "runners" / "harness" / "matrix.toml"
"""The real one; tests use a copy that never changes."""
WORKFLOWS = {path.name: yaml.safe_load(path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.yml")}


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
