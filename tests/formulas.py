"""What a scenario's FORMULAS give, computed as they are written: expressions of Python on the columns of a sample."""

from __future__ import annotations

from itertools import accumulate
from statistics import median
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.harness.catalogue.scenarios import Scenario

IN_WORDS = {"crossover"}
"""Scenarios whose formulas are no expressions: tests of their own hold them to what is computed."""


def by_formula(scenario: Scenario, metric: str, sample: Mapping[str, Any]) -> object:
    """Return what the formula of a *metric* gives for a *sample*: the expression before its semicolon."""
    expression = scenario.formulas[metric].partition(";")[0]
    return eval(expression, {"median": median, "accumulate": accumulate}, dict(sample))  # noqa: S307 - our own text
