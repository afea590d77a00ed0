"""What is asked of the reference build before a run's first sample."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from planted import prepared, scenarios

from runners.harness import programs
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.errors import UserError
from runners.harness.run.calibration import calibrate
from runners.harness.run.plan import Selection

if TYPE_CHECKING:
    from collections.abc import Mapping


def test_only_scenarios_that_calibrate_and_are_measured_are_asked() -> None:
    found = catalogue.find()
    assert calibrate(prepared("3.11.7"), found.values(), Selection("full")) == {}
    assert calibrate(prepared("3.11.7"), found.values(), Selection("map", scenarios=("power",))) == {}
    fitted = calibrate(prepared("3.11.7"), found.values(), Selection("map"))
    assert sorted(fitted) == ["hash_turns_per_ms", "turns_per_ms"]


FITTED = replace(scenarios("hanging")["hanging"], calibrates=True)
"""Its workload has nothing to ask."""


@pytest.mark.parametrize(
    ("python", "reason"),
    [
        (Path(sys.executable), r"AttributeError: .*'calibrate'.* \(status 1\)"),
        (Path("no such python"), "it could not be started: No such file"),
    ],
)
def test_a_build_that_can_not_be_asked_is_named_with_the_reason(python: Path, reason: str) -> None:
    with pytest.raises(UserError, match=rf"3\.11\.7 could not be calibrated for hanging: .*{reason}"):
        calibrate(replace(prepared("3.11.7"), python=python), [FITTED], Selection("quick"))


def test_it_is_asked_with_its_own_switches_and_nothing_of_the_caller_s(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Mapping[str, str] | None] = []

    def run(*command: str | Path, environment: Mapping[str, str] | None = None, **_: object) -> Any:  # noqa: ANN401 - what a program printed
        given.append(environment)
        return subprocess.CompletedProcess(command, 0, "{}", "")

    monkeypatch.setattr(programs, "run", run)
    monkeypatch.setenv("PYTHON_GIL", "1")
    plain = prepared("3.11.7")
    switched = replace(plain, build=msgspec.structs.replace(plain.build, variables=("PYTHON_JIT=1",)))
    for build in (plain, switched):
        assert calibrate(build, [FITTED], Selection("quick")) == {}
    assert [{name: of[name] for name in of if name.startswith("PYTHON")} for of in given if of is not None] == [
        {},
        {"PYTHON_JIT": "1"},
    ]
