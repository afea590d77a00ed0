"""What is asked of the reference build before a run's first sample."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from planted import prepared, scenarios

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.errors import UserError
from runners.harness.run.calibration import calibrate
from runners.harness.run.plan import Selection


def test_only_scenarios_that_calibrate_and_are_measured_are_asked() -> None:
    found = catalogue.find()
    assert calibrate(prepared("3.11.7"), found.values(), Selection("full")) == {}
    assert calibrate(prepared("3.11.7"), found.values(), Selection("map", scenarios=("power",))) == {}
    fitted = calibrate(prepared("3.11.7"), found.values(), Selection("map"))
    assert sorted(fitted) == ["hash_turns_per_ms", "turns_per_ms"]


@pytest.mark.parametrize("python", [Path(sys.executable), Path("no such python")])
def test_a_build_that_can_not_be_asked_is_named(python: Path) -> None:
    fitted = replace(scenarios("hanging")["hanging"], calibrates=True)  # its workload has nothing to ask
    with pytest.raises(UserError, match=r"3\.11\.7 could not be calibrated for hanging"):
        calibrate(replace(prepared("3.11.7"), python=python), [fitted], Selection("quick"))
