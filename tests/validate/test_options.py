"""What `validate` refuses, and what it tries without measuring."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec
import pytest
from click.testing import CliRunner
from factory import Plan, make, some_scenarios

from generate.statistics import validation
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from types import ModuleType

    from click.testing import Result

PRIMES = {"primes": some_scenarios()["primes"]}


@pytest.fixture
def validate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the command, which keeps its figures in a folder of the test."""
    spec = importlib.util.spec_from_file_location("validate_main", Path(__file__).with_name("__main__.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / validation.FILE).write_bytes(msgspec.json.encode(validation.Validation()))
    monkeypatch.setattr(module, "DOCS", tmp_path / "docs")
    monkeypatch.setattr(module, "quick", lambda: pytest.fail("it measures"))
    return module


def tried(validate: ModuleType, *options: Any) -> Result:  # noqa: ANN401 - as on a command line
    return CliRunner().invoke(validate.main, [*map(str, options)])


def measured(tmp_path: Path, *profiles: Literal["quick", "full"], rounds: int = 6, run: str = "") -> Path:
    folder = tmp_path / f"of {rounds} rounds"
    folder.mkdir()
    for profile in profiles:
        record = make(PRIMES, Plan(rounds=rounds, profile=profile, run_id=run or profile))
        (folder / f"{profile}.json").write_bytes(encode(record))
    return folder


def test_a_long_run_that_was_measured_before_is_tried_and_added_to_what_is_kept(
    validate: ModuleType, tmp_path: Path
) -> None:
    counts = []
    for rounds in (3, 6):
        folder = measured(tmp_path, "quick", rounds=rounds, run=f"run-of-{rounds}")
        assert tried(validate, "--only", "quick", "--measured", folder).exit_code == 0
        (rule,) = validation.read(tmp_path / "docs").quick
        counts.append(rule.controls)
    assert counts[0] > 0
    assert counts[1] == counts[0] + 2 * counts[0]


def test_a_run_that_was_counted_is_refused(validate: ModuleType, tmp_path: Path) -> None:
    folder = measured(tmp_path, "quick")
    assert tried(validate, "--only", "quick", "--measured", folder).exit_code == 0
    before = validation.read(tmp_path / "docs")
    again = tried(validate, "--only", "quick", "--measured", folder)
    assert (again.exit_code, "counted already: quick" in again.output) == (2, True)
    assert validation.read(tmp_path / "docs") == before


@pytest.mark.parametrize("profiles", [(), ("full",), ("quick", "full")])
def test_a_folder_with_nothing_or_with_other_runs_is_refused_and_nothing_is_kept(
    validate: ModuleType, tmp_path: Path, profiles: tuple[Literal["quick", "full"], ...]
) -> None:
    found = tried(validate, "--only", "quick", "--measured", measured(tmp_path, *profiles))
    assert (found.exit_code, "runs of the quick profile" in found.output) == (2, True)
    assert validation.read(tmp_path / "docs").quick == []


def test_measured_runs_are_for_the_rule_for_few_rounds_alone(validate: ModuleType, tmp_path: Path) -> None:
    folder = measured(tmp_path, "quick")
    for options in ((), ("--long",), ("--only", "pyperf")):
        assert tried(validate, *options, "--measured", folder).exit_code == 2
