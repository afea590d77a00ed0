"""Commands that users are told to type run as printed, on each system."""

import sys
from pathlib import Path, PureWindowsPath

import pytest

from runners.harness import commands


@pytest.mark.parametrize(
    ("place", "printed"),
    [
        ("clone/.venv/bin/python", ".venv/bin/python"),
        ("link/.venv/bin/python", ".venv/bin/python"),
        ("else where/bin/python3", "'{home}/else where/bin/python3'"),
    ],
)
def test_current_interpreter_is_named_by_its_short_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, printed: str
) -> None:
    home = tmp_path.resolve()
    monkeypatch.setattr(commands, "ROOT", home / "clone")
    monkeypatch.setattr(commands, "WINDOWS", False)
    (home / "clone" / ".venv" / "bin").mkdir(parents=True)
    (home / "clone" / ".venv" / "bin" / "python").symlink_to(sys.executable)
    (home / "link").symlink_to(home / "clone")
    monkeypatch.setattr(sys, "executable", str(home / place))
    assert commands.module_command("runners", "run") == f"{printed.format(home=home)} -m runners run"


def test_windows_has_its_own_quoting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "WINDOWS", True)
    python, results = PureWindowsPath(r".venv\Scripts\python.exe"), PureWindowsPath(r"C:\Users\Ann Lee\results")
    assert commands.quote_command(python, "-m", "runners", results) == rf'{python} -m runners "{results}"'
