"""Asks the reference build, before a run's first sample, what scenarios calibrate to the machine."""

import json
from collections.abc import Iterable

from runners.harness import programs
from runners.harness.builds.interpreters import Prepared
from runners.harness.catalogue.scenarios import ROOT, Scenario
from runners.harness.errors import UserError
from runners.harness.process.launcher import environment
from runners.harness.redact import redact_paths
from runners.harness.run.plan import Selection

LIMIT_S = 60.0


def calibrate(build: Prepared, scenarios: Iterable[Scenario], selection: Selection) -> dict[str, int]:
    """Return by name what the selected scenarios that calibrate themselves measure on *build*. Raises UserError."""
    calibration: dict[str, int] = {}
    # The same environment and options as a worker's: switches of *build* also change its speed.
    options = [f"-X{option}" for option in build.build.options]
    variables = environment(build.build.variables)
    for scenario in (each for each in scenarios if each.calibrates and selection.includes(each)):
        module = f"{scenario.package}.{scenario.name}.workload"
        code = f"import json, {module} as it; print(json.dumps(it.calibrate()))"
        ran = programs.run(build.python, *options, "-c", code, limit_s=LIMIT_S, environment=variables, folder=ROOT)
        try:
            calibration |= json.loads(ran.stdout)
        except ValueError:
            reason = redact_paths(next(reversed(ran.stderr.strip().splitlines()), "it printed no figures"))
            msg = f"{build.name} could not be calibrated for {scenario.name}: {reason}"
            raise UserError(msg) from None
    return calibration
