"""`python -m generate check` and `compare`: what they print, and their exit status."""

from __future__ import annotations

from typing import TYPE_CHECKING

from click.testing import CliRunner, Result

from generate.__main__ import main
from generate.checks import check, compare

if TYPE_CHECKING:
    import pytest


class Report:
    def __init__(self, paths: object, *, strict: bool) -> None:
        self.paths = paths
        self.exit_status = 8 if strict else 7

    def lines(self) -> list[str]:
        return [f"checked {self.paths}"]


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def test_check_prints_its_findings_and_ends_with_their_status(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "check", Report)
    assert (invoke("check", "a").exit_code, invoke("check", "--strict").exit_code) == (7, 8)
    assert "results" in invoke("check").stdout
    assert "'a'" in invoke("check", "a", "b").stdout


def test_compare_reads_two_files_and_shows_them(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[object, ...]] = []
    monkeypatch.setattr(compare, "read", str)
    monkeypatch.setattr(compare, "show", lambda *records: shown.append(records))
    assert invoke("compare", "a", "b").exit_code == 0
    assert shown == [("a", "b")]


def test_compare_refuses_a_file_that_is_not_there() -> None:
    refused = invoke("compare", "nothing.json", "nothing.json")
    assert refused.exit_code == 2
    assert "nothing.json" in refused.stderr
