"""Every runner of every scenario, as a run measures it, on the tiny instance of its warm-up."""

from collections.abc import Mapping
from contextlib import nullcontext
from itertools import accumulate
from statistics import median

import pytest
from apart import take_rightly

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.catalogue.columns import find_undescribed
from runners.harness.catalogue.scenarios import Runner, Scenario
from runners.harness.http_load import origin_sites
from runners.harness.record.model import Value

SCENARIOS = catalogue.find()
RUNNERS = [runner for scenario in SCENARIOS.values() for runner in scenario.runners.values()]
IN_WORDS = {"crossover"}
"""Scenarios whose formulas are no expressions and have tests of their own."""


def by_formula(scenario: Scenario, metric: str, sample: Mapping[str, Value]) -> object:
    """Return the value of a *metric*'s formula, a Python expression up to its semicolon, for a *sample*."""
    expression = scenario.formulas[metric].partition(";")[0]
    return eval(expression, {"median": median, "accumulate": accumulate}, {"working_ns": None, **sample})  # noqa: S307 - our own text


def computed(scenario: Scenario, sample: Mapping[str, Value]) -> dict[str, object]:
    """Return the computed metrics that a *sample* has a value of."""
    if scenario.name in IN_WORDS:
        return {}
    results = {metric.name: metric.compute(sample) for metric in scenario.metrics if metric.compute}
    return {name: value for name, value in results.items() if value is not None}


@pytest.mark.parametrize("runner", RUNNERS, ids=lambda runner: f"{runner.scenario}-{runner.name}")
def test_runner_answers_its_smallest_job_rightly(runner: Runner) -> None:
    scenario = SCENARIOS[runner.scenario]
    case = next(case for case in scenario.cases.values() if runner.takes_part(case))
    with origin_sites.sites(scenario.sites_module) if scenario.sites_module else nullcontext() as sites:
        values, _ = take_rightly(scenario, runner.name, {**case.parameters, **case.warm_up}, sites)
    assert values["idle_process_bytes"] > 4_000_000  # of servers as well: before the load
    unknown = find_undescribed(scenario.columns, values)
    is_small_load = runner.serves  # of which each latency is kept
    assert is_small_load or not unknown, f"{unknown} are missing in COLUMNS of {scenario.name}'s scenario.py"
    by_compute = computed(scenario, values)
    assert {name: by_formula(scenario, name, values) for name in by_compute} == by_compute


@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=lambda scenario: scenario.name)
def test_every_block_measures_its_baseline(scenario: Scenario) -> None:
    for case, facts in scenario.cases.items():
        baseline_case, baseline = scenario.find_baseline(scenario.find_block(case))
        assert scenario.runners[baseline].takes_part(scenario.cases[baseline_case])
        assert any(runner.takes_part(facts) for runner in scenario.runners.values())
