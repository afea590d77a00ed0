"""The tables that end a run, printed by a process of their own."""

import sys
from pathlib import Path

import pytest
from factory import make_record, some_scenarios

from runners.harness import __main__ as command_line
from runners.harness import commands
from runners.harness.record.codec import encode


def test_tables_and_status_are_those_of_the_show_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(encode(make_record(some_scenarios())))
    assert command_line._show([path]) == ""
    captured = capfd.readouterr()
    assert "primes, published: " in captured.out
    assert captured.err == ""
    monkeypatch.setattr(command_line, "SHOW", (sys.executable, "-c", "raise SystemExit(4)"))
    assert command_line._show([path]) == command_line.REJECTED


def test_tables_that_fail_have_one_line_and_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path("a.json").absolute()
    for command, reason in ((("/no/such/program",), "No such file"), ((sys.executable, "-c", "1 / 0"), "ZeroDivision")):
        monkeypatch.setattr(command_line, "SHOW", command)
        line = command_line._show(["--all", "--metric", "all", path])
        assert reason in line
        assert line.endswith(commands.module_command("generate", "show", "--metric", "all", path))
