"""Commands that a user is told to type: they run where he is, on each system."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path, PureWindowsPath

import pytest

from runners.harness import commands
from runners.harness.catalogue.scenarios import ROOT

PYTHON = PureWindowsPath(r".venv\Scripts\python.exe")
FOLDER = PureWindowsPath(r"C:\Users\Ann Lee\results")


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "WINDOWS", True)
    monkeypatch.delenv(commands.MSYS, raising=False)


def test_a_command_begins_with_the_interpreter_that_runs_by_a_short_path_where_it_is_in_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path.resolve()
    monkeypatch.setattr(commands, "ROOT", home / "clone")
    monkeypatch.setattr(commands, "WINDOWS", False)
    (home / "clone" / ".venv" / "bin").mkdir(parents=True)
    (home / "clone" / ".venv" / "bin" / "python").symlink_to(sys.executable)
    (home / "link").symlink_to(home / "clone")
    for place, told in (
        ("clone/.venv/bin/python", ".venv/bin/python"),
        ("link/.venv/bin/python", ".venv/bin/python"),
        ("else where/bin/python3", f"'{home}/else where/bin/python3'"),
    ):
        monkeypatch.setattr(sys, "executable", str(home / place))
        assert commands.module_command("runners", "run") == f"{told} -m runners run"


def test_a_command_that_is_printed_runs_in_the_folder_of_the_repository() -> None:
    words = shlex.split(commands.module_command("runners", "--help"))
    told = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603 - our own
    assert told.stdout.startswith("Usage: python -m runners")


@pytest.mark.usefixtures("windows")
def test_on_windows_words_are_quoted_as_its_shells_have_it_and_backslashes_stay() -> None:
    told = commands.quoted(PYTHON, "-m", "runners", "run", "--resume", FOLDER)
    assert told == r'.venv\Scripts\python.exe -m runners run --resume "C:\Users\Ann Lee\results"'


@pytest.mark.usefixtures("windows")
def test_in_git_bash_they_are_quoted_as_any_bash_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(commands.MSYS, "MINGW64")
    told = commands.quoted(PYTHON, "-m", "runners", "run", "--resume", FOLDER)
    assert shlex.split(told) == [str(PYTHON), "-m", "runners", "run", "--resume", str(FOLDER)]
