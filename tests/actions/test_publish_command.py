"""The command that publishes: it takes what this run collected, and nothing else."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from workflow import collect, place, planned

from actions.artifacts import digest
from actions.commands import main
from actions.publish import read_files

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

__all__ = ["place"]

AUTHOR = ("-c", "user.name=t", "-c", "user.email=t@example.org")
RUN = "2026-01-01/2026-01-01-gh1001-1"


@pytest.fixture
def run(place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Collect a run of which nothing came back, beside the repository that takes it."""
    planned(place, monkeypatch)
    monkeypatch.setenv("GITHUB_SERVER_URL", f"file://{place}")
    for command in (
        ("init", "--quiet", "--bare", "--initial-branch=main", "a/b"),
        ("clone", "--quiet", "a/b", "first"),
        ("-C", "first", *AUTHOR, "commit", "--quiet", "--allow-empty", "-m", "first"),
        ("-C", "first", "push", "--quiet", "origin", "HEAD:main"),
    ):
        subprocess.run(["git", *command], cwd=place, check=True, capture_output=True)  # noqa: S603, S607
    collect(place)
    outputs = dict(line.split("=", 1) for line in (place / "output").read_text().splitlines())
    monkeypatch.setenv("COLLECTED_SHA256", outputs["collected_sha256"])
    return place


def git(*arguments: str, cwd: Path) -> str:
    done = subprocess.run(["git", *arguments], cwd=cwd, check=True, capture_output=True, text=True)  # noqa: S603, S607
    return done.stdout.strip()


def files_of(folder: Path) -> list[str]:
    return git("ls-tree", "-r", "--name-only", "main", cwd=folder / "a" / "b").split()


def publish(folder: Path) -> Result:
    options = [f"--plan={folder / 'plan.json'}", f"--files={folder / 'collected'}", "--branch=main"]
    return CliRunner().invoke(main, ["publish", *options])


def test_what_was_collected_is_published_and_its_commit_printed(run: Path) -> None:
    done = publish(run)
    assert done.exit_code == 0, done.output
    assert files_of(run) == [f"results/{RUN}/cells.json"]
    assert f"main is at {git('rev-parse', 'main', cwd=run / 'a' / 'b')}" in done.output.splitlines()


def test_what_is_not_what_was_collected_is_refused(run: Path) -> None:
    (run / "collected" / RUN / "cells.json").write_text("{}")
    done = publish(run)
    assert done.exit_code == 2
    assert "does not hold what this run collected" in done.output


@pytest.mark.parametrize("digest", ["", None])
def test_without_a_digest_nothing_is_published(run: Path, monkeypatch: pytest.MonkeyPatch, digest: str | None) -> None:
    if digest is None:
        monkeypatch.delenv("COLLECTED_SHA256")
    else:
        monkeypatch.setenv("COLLECTED_SHA256", digest)
    done = publish(run)
    assert done.exit_code == 2
    assert "COLLECTED_SHA256 is not set" in done.output
    assert files_of(run) == []


@pytest.mark.parametrize(
    "name",
    [
        f"{RUN}/ubuntu-24.04--3.14.json",
        f"{RUN}/README",
        f"{RUN}/deeper/cells.json",
        "2026-01-02/2026-01-01-gh1001-1/cells.json",
        "2026-01-01/2026-01-01-gh1001-2/cells.json",
        "2026-01-01/2026-01-01-gh1001-0/cells.json",
        "cells.json",
        ".git/config",
    ],
)
def test_a_name_that_is_not_of_the_plan_or_its_attempts_is_refused_though_the_digest_is_right(
    run: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    path = run / "collected" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{}")
    monkeypatch.setenv("COLLECTED_SHA256", digest(read_files(run / "collected")))
    done = publish(run)
    assert done.exit_code == 2
    assert f"{name!r} is no file of this run's plan: nothing was published" in done.output
    assert files_of(run) == []


def test_a_file_that_is_published_already_is_kept_and_named(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = run / "collected" / RUN / "ubuntu-24.04--3.13.json"
    for text in ("first", "again"):
        own.write_text(text)
        monkeypatch.setenv("COLLECTED_SHA256", digest(read_files(run / "collected")))
        done = publish(run)
        assert done.exit_code == 0, done.output
    line = f"results/{RUN}/ubuntu-24.04--3.13.json is on main already, and stays as it is"
    assert line in done.output.splitlines()
    assert f"- {line}" in (run / "summary").read_text().splitlines()
    assert git("show", f"main:results/{RUN}/ubuntu-24.04--3.13.json", cwd=run / "a" / "b") == "first"
