"""Asks the reference build what scenarios fit to the machine, once before a run's first sample. Our side."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

from runners.harness import programs
from runners.harness.catalogue.scenarios import ROOT
from runners.harness.errors import UserError
from runners.harness.process.launcher import environment
from runners.harness.redact import redact_paths

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
    """Ask in the surroundings that a worker of *build* has: what switches it also changes how fast it is."""
    options = [f"-X{option}" for option in build.build.options]
    module = f"{scenario.package}.{scenario.name}.workload"
    command = [str(build.python), *options, "-m", "runners.harness.calibrate", module]
    try:
        ran = programs.run(*command, limit_s=LIMIT_S, environment=environment(build.build.variables), folder=ROOT)
        found: dict[str, int] = json.loads(ran.stdout)
    except ValueError:
        reason = next(reversed(ran.stderr.strip().splitlines()), "it printed no figures")
        raise _failed(build, scenario, f"{redact_paths(reason)} (status {ran.returncode})") from None
    except subprocess.TimeoutExpired:
        raise _failed(build, scenario, f"it took over {LIMIT_S:.0f} s") from None
    except OSError as error:
        raise _failed(build, scenario, f"it could not be started: {error.strerror}") from None
    return found


def _failed(build: Prepared, scenario: Scenario, reason: str) -> UserError:
    return UserError(f"{build.name} could not be calibrated for {scenario.name}: {reason}")
