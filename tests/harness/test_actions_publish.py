"""The command that publishes: it takes what this run collected, and nothing else."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from workflow import planned, told

from runners.harness.__main__ import main

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

__all__ = ["told"]

AUTHOR = ("-c", "user.name=t", "-c", "user.email=t@example.org")
RUN = "2026-01-01/2026-01-01-gh1001.1"


@pytest.fixture
def run(told: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Collect a run of which nothing came back, beside the repository that takes it."""
    planned(told, monkeypatch)
    monkeypatch.setenv("GITHUB_SERVER_URL", f"file://{told}")
    for command in (
        ("init", "--quiet", "--bare", "--initial-branch=main", "a/b"),
        ("clone", "--quiet", "a/b", "first"),
        ("-C", "first", *AUTHOR, "commit", "--quiet", "--allow-empty", "-m", "first"),
        ("-C", "first", "push", "--quiet", "origin", "HEAD:main"),
    ):
        subprocess.run(["git", *command], cwd=told, check=True, capture_output=True)  # noqa: S603, S607
    options = [f"--plan={told / 'plan.json'}", f"--artifacts={told / 'none'}", f"--out={told / 'collected'}"]
    CliRunner().invoke(main, ["actions", "collect", *options])
    outputs = dict(line.split("=", 1) for line in (told / "output").read_text().splitlines())
    monkeypatch.setenv("COLLECTED_SHA256", outputs["collected_sha256"])
    return told


def publish(folder: Path) -> Result:
    options = [f"--plan={folder / 'plan.json'}", f"--files={folder / 'collected'}", "--branch=main"]
    return CliRunner().invoke(main, ["actions", "publish", *options])


def test_what_was_collected_is_published_and_its_commit_handed_on(run: Path) -> None:
    done = publish(run)
    assert done.exit_code == 0, done.output
    listed = subprocess.run(
        ["git", "ls-tree", "-r", "--name-only", "main"],  # noqa: S607
        cwd=run / "a" / "b",
        check=True,
        capture_output=True,
        text=True,
    )
    assert listed.stdout.split() == [f"results/{RUN}/cells.json"]
    assert "commit=" in (run / "output").read_text()


def test_what_is_not_what_was_collected_is_refused(run: Path) -> None:
    (run / "collected" / RUN / "cells.json").write_text("{}")
    done = publish(run)
    assert done.exit_code == 2
    assert "does not hold what this run collected" in done.output


def test_without_a_digest_the_names_are_still_those_of_the_plan(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLLECTED_SHA256", "")
    (run / "collected" / RUN / "ubuntu-24.04--3.14.json").write_text("{}")
    done = publish(run)
    assert done.exit_code == 2
    assert "ubuntu-24.04--3.14.json' is no file of this run's plan" in done.output
