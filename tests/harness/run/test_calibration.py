"""The calibration on the reference build before a run's first sample."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import msgspec
import pytest
from planted import prepared, scenarios

from runners.harness import programs
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.errors import UserError
from runners.harness.run.calibration import calibrate
from runners.harness.run.plan import Selection

CALIBRATING = replace(scenarios("hanging")["hanging"], calibrates=True)
"""Its workload has no function to call."""


def test_only_selected_scenarios_are_calibrated() -> None:
    real, build = catalogue.find().values(), prepared("3.11.7")
    assert calibrate(build, real, Selection("quick")) == {}
    assert calibrate(build, real, Selection("map", scenarios=("power",))) == {}
    assert [*calibrate(build, real, Selection("full"))] == ["server_turns_per_ms"]
    assert sorted(calibrate(build, real, Selection("map"))) == ["hash_turns_per_ms", "turns_per_ms"]


@pytest.mark.parametrize(
    ("python", "reason"), [(sys.executable, r"AttributeError: .*'calibrate'.*"), ("none", "No such file")]
)
def test_failed_calibration_names_build_scenario_and_reason(python: str, reason: str) -> None:
    with pytest.raises(UserError, match=rf"3\.11\.7 .*hanging: .*{reason}"):
        calibrate(replace(prepared("3.11.7"), python=Path(python)), [CALIBRATING], Selection("quick"))


def test_calibration_has_only_the_builds_own_switches(monkeypatch: pytest.MonkeyPatch) -> None:
    run = Mock(return_value=subprocess.CompletedProcess((), 0, "{}", ""))
    monkeypatch.setattr(programs, "run", run)
    monkeypatch.setenv("PYTHON_GIL", "1")
    plain = prepared("3.11.7")
    switched = replace(plain, build=msgspec.structs.replace(plain.build, variables=("PYTHON_JIT=1",)))
    for build, switches in ((plain, {}), (switched, {"PYTHON_JIT": "1"})):
        assert calibrate(build, [CALIBRATING], Selection("quick")) == {}
        environment = run.call_args.kwargs["environment"]
        assert {name: value for name, value in environment.items() if name.startswith("PYTHON")} == switches
