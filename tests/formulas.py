"""Evaluates the formulas of a scenario's metrics: Python expressions on the columns of a sample."""

from collections.abc import Mapping
from itertools import accumulate
from statistics import median
from typing import Any

from runners.harness.catalogue.scenarios import Scenario

IN_WORDS = {"crossover"}
"""Scenarios whose formulas are no expressions and have tests of their own."""


def by_formula(scenario: Scenario, metric: str, sample: Mapping[str, Any]) -> object:
    """Return the value of a *metric*'s formula, up to its semicolon, for a *sample*."""
    expression = scenario.formulas[metric].partition(";")[0]
    return eval(expression, {"median": median, "accumulate": accumulate}, dict(sample))  # noqa: S307 - our own text
