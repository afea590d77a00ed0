"""Asks the reference build what scenarios fit to the machine, once before a run's first sample. Our side."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

from runners.harness import programs
from runners.harness.catalogue.scenarios import ROOT
from runners.harness.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from runners.harness.builds.interpreters import Prepared
    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.run.plan import Selection

LIMIT_S = 60.0


def calibrate(build: Prepared, scenarios: Iterable[Scenario], selection: Selection) -> dict[str, int]:
    """Return what the scenarios of a run that calibrate themselves find on *build*, by name. Raises UserError."""
    found: dict[str, int] = {}
    for scenario in scenarios:
        if scenario.calibrates and selection.has(scenario):
            found |= _ask(build, scenario)
    return found


def _ask(build: Prepared, scenario: Scenario) -> dict[str, int]:
    options = [f"-X{option}" for option in build.build.options]
    module = f"{scenario.package}.{scenario.name}.workload"
    try:
        ran = programs.run(
            build.python, *options, "-m", "runners.harness.calibrate", module, limit_s=LIMIT_S, folder=ROOT
        )
        found: dict[str, int] = json.loads(ran.stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        msg = f"{build.name} could not be calibrated for {scenario.name}: {type(error).__name__}"
        raise UserError(msg) from None
    return found
