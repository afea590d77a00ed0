"""What `validate` refuses, and what it tries without measuring."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Literal

import msgspec
import pytest
from click.testing import CliRunner
from factory import Plan, make, some_scenarios

from generate.results import validation
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from types import ModuleType

    from click.testing import Result

PRIMES = {"primes": some_scenarios()["primes"]}
MADE = validation.Made("2026-01-01", "fixture-host", None)


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
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "DOCS", tmp_path / "docs")
    monkeypatch.setattr(module, "MEASURED", tmp_path / "long")
    monkeypatch.setattr(module.subprocess, "run", lambda *_, **__: pytest.fail("it measures"))
    monkeypatch.setattr(module, "made_now", lambda: MADE)
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


def measuring(status: int) -> Any:  # noqa: ANN401 - in the place of subprocess.run
    """Return what measures as the command line does, and ends with *status*."""

    def run(command: list[str], **_: object) -> SimpleNamespace:
        folder = Path(command[command.index("--out") + 1])
        folder.mkdir(parents=True)
        (folder / "own.json").write_bytes(encode(make(PRIMES, Plan(rounds=6, profile="quick", run_id="long"))))
        return SimpleNamespace(returncode=status)

    return run


@pytest.mark.parametrize("status", [0, 4])
def test_a_long_run_in_which_something_failed_is_tried_as_well(
    validate: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setattr(validate.subprocess, "run", measuring(status))
    assert tried(validate, "--only", "quick").exit_code == 0
    (rule,) = validation.read(tmp_path / "docs").quick
    assert (rule.runs, rule.made) == (("long",), MADE)


def test_a_long_run_that_ends_early_is_kept_and_named(
    validate: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(validate.subprocess, "run", measuring(2))
    found = tried(validate, "--only", "quick")
    assert found.exit_code == 2
    assert "error: the run ended with status 2; what was measured is in long/quick-" in found.output
    assert len([*tmp_path.glob("long/quick-*/own.json")]) == 1
    assert validation.read(tmp_path / "docs").quick == []


def test_a_record_that_can_not_be_read_is_refused_before_anything_is_measured(
    validate: ModuleType, tmp_path: Path
) -> None:
    (tmp_path / "docs" / validation.FILE).write_text("{")
    found = tried(validate, "--only", "quick")
    assert (found.exit_code, "error: docs/validation.json" in found.output) == (2, True)


def test_each_part_keeps_when_and_where_it_was_made(validate: ModuleType, tmp_path: Path) -> None:
    earlier = validation.Made("2025-12-31", "other-host", None)
    before = validation.Validation(made={"controls": earlier}, controls=validation.Controls(1, 0, 0))
    (tmp_path / "docs" / validation.FILE).write_bytes(msgspec.json.encode(before))
    validate.keep({"simulated": validation.Simulated(1, 0, 1, 2)})
    assert validation.read(tmp_path / "docs").made == {"controls": earlier, "simulated": MADE}


def test_a_planted_slowdown_of_another_hour_stands_beside_those_before(
    validate: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for slowed in (1.1, 0.99):
        found = validate.lines.Ratios([slowed] * 24, [1.0, 1.02] * 12, 1.0)
        monkeypatch.setattr(validate.lines, "measure", lambda *_, found=found, **__: found)
        assert tried(validate, "--only", "slowdown").exit_code == 0
    trials = validation.read(tmp_path / "docs").slowdown
    assert [(each.times, each.seen, each.ratio, each.work, each.made) for each in trials] == [
        (2, 2, 1.1, "computes", MADE),
        (2, 2, 1.1, "waits", MADE),
        (2, 0, 0.99, "computes", MADE),
        (2, 0, 0.99, "waits", MADE),
    ]


def test_of_a_planted_slowdown_only_comparisons_with_all_their_rounds_count(validate: ModuleType) -> None:
    assert len(validate.compared_by_rounds([1.1] * 24)) == 2
    assert len(validate.compared_by_rounds([1.1] * 23)) == 1
    assert validate.compared_by_rounds([1.1] * 5) == []
