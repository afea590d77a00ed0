"""The options of `validate`, without measuring."""

import importlib
import shutil
from pathlib import Path
from types import ModuleType

import msgspec
import pytest
from click.testing import CliRunner, Result
from factory import Plan, make_record, some_scenarios

from generate.data import between_runs
from generate.downloads import validation
from runners.harness.record.codec import encode

PRIMES = {"primes": some_scenarios()["primes"]}
MADE = validation.Made("2026-01-01", "fixture-host", None)


@pytest.fixture
def validate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the command, which keeps its figures in a folder of the test."""
    module = importlib.import_module("validate.__main__")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / validation.FILE).write_bytes(msgspec.json.encode(validation.Validation()))
    monkeypatch.setattr(module, "DOCS", tmp_path / "docs")
    monkeypatch.setattr(module, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(module, "made_now", lambda: MADE)
    return module


def invoke(validate: ModuleType, *options: str) -> Result:
    return CliRunner().invoke(validate.main, [*options])


def test_committed_runs_make_the_table_and_the_figures(validate: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    for number in range(4):
        plan = Plan(rounds=6, run_id=f"run-{number}", seed=number, speed={"thread_pool": 2.0})
        (tmp_path / "results" / f"{number}.json").write_bytes(encode(make_record(PRIMES, plan)))
    done = invoke(validate)
    assert done.exit_code == 0, done.output
    assert between_runs.read(tmp_path / "docs").blocks
    kept = validation.read(tmp_path / "docs")
    assert kept.made == {"predictions": MADE, "detection": MADE}
    assert {each.compared for each in kept.predictions} == {"value", "ratio", "within", "across"}
    values = next(each for each in kept.predictions if each.compared == "value" and each.first)
    assert (values.inside.of, values.inside.share > 0.9) == (4 * values.series, True)
    assert kept.detection
    assert (kept.detection.quick_wrong.count, kept.detection.quick_seen.share > 0.9) == (0, True)
    assert kept.detection.planted[0].seen.share == 1


def test_a_broken_record_is_refused_before_anything_runs(validate: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "docs" / validation.FILE).write_text("{")
    done = invoke(validate, "slowdown")
    assert (done.exit_code, "error: docs/validation.json" in done.output) == (2, True)


def test_each_part_keeps_when_and_where_it_was_made(validate: ModuleType, tmp_path: Path) -> None:
    earlier = validation.Made("2025-12-31", "other-host", None)
    before = validation.Validation(made={"pyperf": earlier})
    (tmp_path / "docs" / validation.FILE).write_bytes(msgspec.json.encode(before))
    validate.keep({"agreement": {"tornado_awaiting": {"ab": 1.0}}})
    assert validation.read(tmp_path / "docs").made == {"pyperf": earlier, "agreement": MADE}


def test_missing_meters_are_named_with_their_packages(validate: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    done = invoke(validate, "meters")
    assert all(how in done.output for how in validate.cross_check.INSTALL.values())
    assert validation.read(validate.DOCS) == validation.Validation()


def test_trials_of_a_slowdown_add_up(validate: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for slowed in (1.1, 0.99):
        ratios = validate.lines.Ratios([slowed] * 24, [1.0, 1.02] * 12, 1.0)
        monkeypatch.setattr(validate.lines, "measure", lambda *_, ratios=ratios, **__: ratios)
        assert invoke(validate, "slowdown").exit_code == 0
    trials = validation.read(tmp_path / "docs").slowdown
    assert [(each.times, each.ratio, each.work, each.made) for each in trials] == [
        (2, ratio, work, MADE) for ratio in (1.1, 0.99) for work in ("computes", "waits")
    ]
