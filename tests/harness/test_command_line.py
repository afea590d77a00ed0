"""The commands: what they print, and how they refuse."""

from __future__ import annotations

import json
import re
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result
from planted import FOLDER, PACKAGE, prepared

from runners.harness.__main__ import main
from runners.harness.builds import interpreters
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.process import launcher
from runners.harness.process.launcher import SampleResult
from runners.harness.record import codec
from runners.harness.run import new_run, plan

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Let the commands work on the planted scenarios, and take samples in no time; return the builds asked for."""
    asked: list[list[str]] = []

    def prepare(wanted: tuple[str, ...]) -> list[interpreters.Prepared]:
        asked.append(list(wanted))
        return [prepared(f"3.{10 + index}.1") for index, _ in enumerate(wanted)]

    monkeypatch.setattr(catalogue, "find", partial(catalogue.find, FOLDER, PACKAGE))
    monkeypatch.setattr(interpreters, "prepare", prepare)
    monkeypatch.setattr(launcher, "Launcher", nullcontext)
    monkeypatch.setattr(launcher, "take", lambda *_: SampleResult("ok", None, {"elapsed_ns": 1}))
    return asked


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def refusal(*arguments: object) -> str:
    """Return the one line of a command that refuses."""
    result = invoke(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: ")
    (line,) = result.stderr.splitlines()
    return line


@pytest.mark.parametrize("command", ["plan", "run"])
def test_an_unknown_name_is_refused_with_those_that_exist(command: str) -> None:
    scenarios = catalogue.find()
    runners = sorted({name for scenario in scenarios.values() for name in scenario.runners})
    told = refusal(command, "--scenario", "prims")
    assert told == f"error: no scenario is called 'prims' (did you mean primes?); there are: {', '.join(scenarios)}"
    assert refusal(command, "--runner", "@").endswith(f"no runner is called '@'; there are: {', '.join(runners)}")
    assert refusal(command, "--profile", "@").endswith("no profile is called '@'; there are: quick, full")
    assert "no runner is called 'gevent_pywsgi'" in refusal(
        command, "--scenario", "primes", "--runner", "gevent_pywsgi"
    )


def test_an_unknown_build_is_refused_with_those_that_exist(tmp_path: Path) -> None:
    told = refusal("run", "--python", "3.77", "--out", tmp_path)
    assert told.startswith("error: no Python '3.77' is on this machine; there are: ")
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("planted")
def test_results_that_can_not_be_written_or_named_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "no results can be written to" in refusal("run", "--out", tmp_path / "file")
    assert "can't name a machine" in refusal("run", "--out", tmp_path, "--machine", "a\nb")
    assert "holds no result file to go on with" in refusal("run", "--resume", tmp_path / "nothing")


@pytest.mark.parametrize(("option", "value"), [("--rounds", 0), ("--rounds", 1001), ("--seed", -1), ("--seed", 2**40)])
def test_numbers_that_no_file_could_hold_are_refused(option: str, value: int) -> None:
    result = invoke("plan", option, value)
    assert result.exit_code == 2
    assert str(value) in result.stderr


def test_the_list_names_every_scenario_and_runner() -> None:
    scenarios = catalogue.find()
    listed = json.loads(invoke("list", "--json").stdout)
    assert {one["scenario"]: [runner["runner"] for runner in one["runners"]] for one in listed} == {
        scenario.name: list(scenario.runners) for scenario in scenarios.values()
    }
    primes = next(one for one in listed if one["scenario"] == "primes")
    pool = next(one for one in primes["runners"] if one["runner"] == "thread_pool")
    assert (pool["family"], pool["cases"], pool["problem"]) == ("threads", ["published"], None)
    assert (pool["name"], primes["cases"]["published"]["name"]) == ("thread pool", "eight numbers")
    words = invoke("list").stdout
    assert re.search(r"^  thread_pool +thread pool  ", words, re.MULTILINE)
    assert all(f"  {runner} " in words for scenario in scenarios.values() for runner in scenario.runners)


@pytest.mark.usefixtures("planted")
def test_the_list_says_what_is_wrong_with_a_runner() -> None:
    assert "has_no_family" in invoke("list").stdout
    assert "[FAMILY is None; it must be one of sync," in invoke("list").stdout


def test_the_plan_is_that_of_the_catalogue() -> None:
    scenarios = catalogue.find()
    told = json.loads(invoke("plan", "--json", "--seed", "3", "--rounds", "2", "--python", "a", "--python", "b").stdout)
    assert (told["profile"], told["rounds"], told["seed"], told["pythons"]) == ("quick", 2, 3, ["a", "b"])
    expected = plan.steps(scenarios, plan.entries(scenarios, plan.Selection("quick"), [()] * 2), 2, 3)
    assert [(step["round"], step["scenario"], step["runner"], step["python"]) for step in told["steps"]] == [
        (step.round, step.entry.scenario, step.entry.runner, "ab"[step.entry.build]) for step in expected
    ]
    words = invoke("plan", "--rounds", "2").stdout.splitlines()
    assert words[-1].split() == [str(len(expected) // 2), "samples", "in", "all"]


@pytest.mark.usefixtures("planted")
def test_a_run_writes_a_file_a_build_and_says_where(tmp_path: Path) -> None:
    result = invoke("run", "--scenario", "hanging", "--rounds", 2, "--seed", 7, "--python", "a", "--python", "b",
                    "--machine", "desk", "--out", tmp_path)  # fmt: skip
    assert result.exit_code == 0, result.output
    files = sorted(tmp_path.glob("*/*/*.json"))
    assert [file.name for file in files] == ["desk-cpython-3.10.1.json", "desk-cpython-3.11.1.json"]
    assert all(str(file) in result.stdout for file in files)
    one = codec.decode(files[1].read_bytes())
    assert (one.complete, one.run.rounds, one.run.seed, one.machine.label) == (True, 2, 7, "desk")
    assert (one.run.scenarios, one.run.runners, one.run.profile) == (["hanging"], [], "quick")
    assert one.run.id == files[1].parent.name
    assert "2 ok series" in result.stdout


def test_without_a_wish_our_own_interpreter_is_measured_with_the_profiles_rounds(
    planted: list[list[str]], tmp_path: Path
) -> None:
    result = invoke("run", "--scenario", "hanging", "--profile", "full", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert planted == [[new_run.our_own_python()]]
    (path,) = tmp_path.glob("*/*/*.json")
    assert codec.decode(path.read_bytes()).run.rounds == plan.ROUNDS["full"]


@pytest.mark.usefixtures("planted")
def test_what_went_wrong_is_told_at_the_end_and_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launcher, "take", lambda *_: SampleResult("failed", "it fell over"))
    result = invoke("run", "--scenario", "hanging", "--rounds", 1, "--out", tmp_path)
    assert result.exit_code == 0
    assert "cpython-3.10.1 hanging, tiny: forever: failed: it fell over" in result.stdout.splitlines()
    assert "2 failed series" in result.stdout


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (["check", "--strict", "a"], "python -m generate check --strict a"),
        (["compare", "a", "b"], "python -m generate compare a b"),
        (["actions", "plan"], "python -m actions plan"),
        (["agree"], "make validate"),
    ],
)
def test_an_old_command_prints_the_new_one(old: list[str], new: str) -> None:
    assert refusal(*old) == f"error: this command is now: {new}"
