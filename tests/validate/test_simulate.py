"""The simulations that the statistics are tried on: their truth is as told, and their noise is that of the samples."""

from __future__ import annotations

import random
from itertools import pairwise
from statistics import median

import pytest
import simulate
from factory import Plan, altered, make, some_scenarios
from frames import files_of, impossible

from generate.analysis.gated import GatedRecord, apply_gate

SCENARIOS = some_scenarios()


def gated(*plans: Plan) -> list[GatedRecord]:
    return apply_gate(files_of(*(make(SCENARIOS, plan) for plan in plans)), SCENARIOS)


@pytest.fixture(scope="module")
def blocks() -> list[simulate.Block]:
    return [*simulate.blocks(gated(*(Plan(seed=seed) for seed in range(3))))]


def test_every_block_with_a_control_is_taken(blocks: list[simulate.Block]) -> None:
    cases = {
        (name, scenario.block_of(case))
        for name, scenario in SCENARIOS.items()
        for case, facts in scenario.cases.items()
        if facts.full
    }
    assert len(blocks) == 3 * len(cases)
    assert {len(block.drift) for block in blocks} == {12}


def test_a_run_of_too_few_rounds_is_left_out() -> None:
    assert [*simulate.blocks(gated(Plan(rounds=8)))] == []


def test_a_control_that_the_gate_refuses_is_left_out(blocks: list[simulate.Block]) -> None:
    is_control = ("primes", "published", "control")
    record = altered(
        make(SCENARIOS, Plan()), lambda series: (series.scenario, series.case, series.role) == is_control, impossible
    )
    kept = {block.key for block in simulate.blocks(apply_gate(files_of(record), SCENARIOS))}
    assert {block.key for block in blocks} - kept == {("primes", "published")}


def test_the_noise_and_the_drift_make_up_the_values(blocks: list[simulate.Block]) -> None:
    for block in blocks:
        first, second = block.noise
        for ratio, mine, other in zip(block.ratios, first, second, strict=True):
            assert other / mine == pytest.approx(ratio)
        assert median([*first, *second]) == pytest.approx(1, abs=0.05)


def test_a_slowdown_is_in_the_middle_of_what_is_simulated(blocks: list[simulate.Block]) -> None:
    draw = random.Random(3)  # noqa: S311 - made-up values
    for slowdown in (0.0, 0.2):
        ratios = [simulate.compared(blocks[0], 20, slowdown, draw).ratio for _ in range(300)]
        assert median(ratios) == pytest.approx(1 + slowdown, rel=0.01)


def test_a_burst_stays_together() -> None:
    quiet = tuple([1.0] * 12)
    burst = tuple([1.0] * 5 + [2.0] * 3 + [1.0] * 4)
    block = simulate.Block("any", "any", "any", quiet, (burst, burst), quiet)
    series = simulate._series(block, 3000, 0, random.Random(1))  # noqa: S311 - made-up values
    together = sum(a == b == 2.0 for a, b in pairwise(series))
    assert together / series.count(2.0) > 0.4  # three in a row at random: a quarter


def test_the_tally_counts_each_kind_and_the_same_seed_gives_the_same(blocks: list[simulate.Block]) -> None:
    made = simulate.tally(blocks[:2], times=20, rounds=(12,))
    assert made == simulate.tally(blocks[:2], times=20, rounds=(12,))
    assert {slowdown for _, _, slowdown in made} == {0.0, *simulate.SLOWDOWNS}
    assert sum(one.runs for one in made.values()) == 2 * 20 * 5
    big = [one for (_, _, slowdown), one in made.items() if slowdown == 0.2]
    assert sum(one.seen for one in big) >= 0.9 * sum(one.runs for one in big)
