"""Facts of each scenario for programs that read result files: first metric, blocks, formulas. Pure."""

from collections.abc import Mapping
from typing import TypedDict

from generate.words.units import is_speed
from runners.harness.catalogue.scenarios import Scenario


class ScenarioMetric(TypedDict):
    """A scenario's first metric, and how to read its files."""

    title: str
    """Title of the metric."""
    unit: str
    """Unit of its values."""
    better: str
    """lower, higher or neither."""
    is_speed: bool
    """True if better means faster."""
    column: str | None
    """Column of a result file's samples that holds it; null if computed: see formulas."""
    calibrates: bool
    """True if its work is fitted to the machine in each run: compare runs only if `run.calibration` is the same
    within 1 %."""
    packages: dict[str, tuple[str, ...]]
    """By runner, the packages that it imports."""
    formulas: dict[str, str]
    """Formulas of computed metrics."""
    blocks: dict[str, str]
    """Block of each case that is not its own block."""


def metrics(scenarios: Mapping[str, Scenario]) -> dict[str, ScenarioMetric]:
    return {name: _metric(scenario) for name, scenario in scenarios.items()}


def _metric(scenario: Scenario) -> ScenarioMetric:
    metric = scenario.metrics[0]
    return {
        "title": metric.title,
        "unit": metric.unit,
        "better": metric.better,
        "is_speed": is_speed(metric),
        "column": None if metric.compute else metric.name,
        "calibrates": scenario.calibrates,
        "packages": {name: runner.packages for name, runner in scenario.runners.items()},
        "formulas": {**scenario.formulas},
        "blocks": {case: scenario.find_block(case) for case in scenario.cases if scenario.find_block(case) != case},
    }
