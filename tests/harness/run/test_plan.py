"""What is measured, and in which order."""

from __future__ import annotations

from collections import Counter
from dataclasses import astuple, replace
from itertools import groupby
from typing import TYPE_CHECKING

import pytest
from planted import scenarios

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.run import plan
from runners.harness.run.plan import Entry, Selection, Step

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.record.model import Profile

FOUND = scenarios()
FULL = Selection("full")


def steps(selection: Selection = FULL, builds: int = 1, rounds: int = 4, seed: int = 1) -> list[Step]:
    return plan.steps(FOUND, plan.entries(FOUND, selection, [()] * builds), rounds, seed)


def with_cases(**changes: object) -> Mapping[str, Scenario]:
    """Give one planted scenario a second case in the block of the first."""
    scenario = FOUND["misbehaving"]
    first = scenario.cases["tiny"]._replace(block="both")
    second = first._replace(**changes)  # type: ignore[arg-type] # any field of a case
    return {"misbehaving": replace(scenario, cases={"first": first, "second": second})}


def test_the_same_seed_gives_the_same_plan_and_another_seed_another_order_of_the_same() -> None:
    assert steps() == steps()
    assert steps(seed=2) != steps()
    assert {step.entry for step in steps(seed=2)} == {step.entry for step in steps()}


def test_a_block_is_in_another_order_in_each_round() -> None:
    planned = [step for step in steps() if step.entry.scenario == "misbehaving"]
    orders = {tuple(step.entry for step in planned if step.round == number) for number in range(1, 5)}
    assert len(orders) == 4


def test_a_longer_plan_begins_with_the_shorter() -> None:
    shorter = steps(rounds=2)
    assert steps(rounds=4)[: len(shorter)] == shorter


def test_every_series_is_measured_once_a_round_and_rounds_follow_one_another() -> None:
    measured = [(step.round, step.entry) for step in steps(builds=3)]
    assert len(set(measured)) == len(measured) == 4 * len(plan.entries(FOUND, FULL, [()] * 3))
    assert sorted(number for number, _ in measured) == [number for number, _ in measured]


def test_a_full_run_has_six_rounds_of_every_series() -> None:
    found = catalogue.find()
    planned = plan.steps(found, plan.entries(found, FULL, [()]), plan.ROUNDS["full"], 1)
    assert {*Counter(step.entry for step in planned).values()} == {6}


def test_a_block_stands_together_with_all_its_builds_and_tells_positions() -> None:
    for _, group in groupby(steps(builds=3), key=lambda step: (step.round, step.entry.scenario)):
        block = list(group)
        assert {step.entry.build for step in block} == {0, 1, 2}
        assert [step.position for step in block] == list(range(len(block)))
    blocks = [key for key, _ in groupby(steps(), key=lambda step: (step.round, step.entry.scenario))]
    assert len(blocks) == len(set(blocks))


def test_cases_of_one_block_are_measured_back_to_back() -> None:
    found = with_cases()
    planned = plan.steps(found, plan.entries(found, FULL, [()]), 1, 1)
    assert {step.position for step in planned} == set(range(len(planned)))
    assert {step.entry.case for step in planned} == {"first", "second"}


def test_a_case_may_have_a_baseline_of_its_own() -> None:
    found = with_cases(baseline="breaks")
    controls = [entry for entry in plan.entries(found, FULL, [()]) if entry.role == "control"]
    assert controls == [Entry("misbehaving", "second", "breaks", "control", 0)]


def test_a_chosen_runner_is_measured_with_the_baselines_alone() -> None:
    chosen = plan.entries(FOUND, Selection("full", ("misbehaving",), ("breaks",)), [()])
    assert [(entry.runner, entry.role) for entry in chosen] == [
        ("breaks", "subject"),
        ("doubles", "subject"),
        ("doubles", "control"),
    ]


def test_a_chosen_case_is_measured_with_the_baseline_of_its_block_even_where_that_is_another_case() -> None:
    real = catalogue.find()
    chosen = plan.entries(real, Selection("full", ("open_loop",), cases=("closed loop, 16 at once",)), [()])
    others = [(entry.case, entry.runner) for entry in chosen if entry.case != "closed loop, 16 at once"]
    block = real["open_loop"].block_of("closed loop, 16 at once")
    assert {entry.role for entry in chosen} == {"subject", "control"}
    assert set(others) <= {real["open_loop"].baseline_of(block)}
    assert not plan.entries(real, Selection("full", cases=("1 task",)), [()])


@pytest.mark.parametrize(("profile", "cases"), [("quick", {"first"}), ("full", {"first", "second"})])
def test_a_case_may_be_left_out_of_a_profile(profile: Profile, cases: set[str]) -> None:
    assert {entry.case for entry in plan.entries(with_cases(quick=False), Selection(profile), [()])} == cases


def test_a_runner_takes_part_only_in_the_cases_it_names() -> None:
    found = with_cases(parameters={"size": "tiny", "way": "raises"})
    runners = dict(found["misbehaving"].runners)
    runners["breaks"] = replace(runners["breaks"], only={"way": ("",)})
    found = {"misbehaving": replace(found["misbehaving"], runners=runners)}
    assert [entry.case for entry in plan.entries(found, FULL, [()]) if entry.runner == "breaks"] == ["first"]


@pytest.mark.parametrize("profile", plan.ROUNDS)
def test_every_block_of_the_real_scenarios_holds_a_baseline_that_takes_part_and_its_control(
    profile: Profile,
) -> None:
    real = catalogue.find()
    entries = plan.entries(real, Selection(profile), [()] * 2)
    blocks = [(entry.build, entry.scenario, real[entry.scenario].block_of(entry.case)) for entry in entries]
    controls = Counter(block for block, entry in zip(blocks, entries, strict=True) if entry.role == "control")
    assert controls == dict.fromkeys(blocks, 1)
    assert all(replace(entry, role="subject") in entries for entry in entries)
    for scenario, case, runner, role, _ in map(astuple, entries):
        if role == "control":
            assert real[scenario].runners[runner].takes_part(real[scenario].cases[case])


def test_a_build_with_another_version_of_a_package_measures_the_runners_that_import_it_and_their_baselines() -> None:
    real = catalogue.find()
    entries = plan.entries(real, FULL, [(), ("tornado",)])
    assert {entry.build for entry in entries} == {0, 1}
    runners = {(entry.scenario, entry.runner) for entry in entries if entry.role == "subject"}
    baselines = {runner for scenario, runner in runners if "tornado" not in real[scenario].runners[runner].packages}
    assert {runner for _, runner in runners} - baselines == {"tornado_awaiting", "tornado_blocking", "tornado_executor"}
    assert baselines == {"http_server_fair", "threading_server", "aiohttp_awaiting"}
    assert [entry.key for entry in entries if entry.build == 0] == [entry.key for entry in entries if entry.build == 1]


def test_beside_another_plain_build_the_reference_measures_everything() -> None:
    everything = plan.entries(FOUND, FULL, [()])
    entries = plan.entries(FOUND, FULL, [(), (), ("tornado",)])
    assert [entry for entry in entries if entry.build == 0] == everything
    assert not any(entry.build == 2 for entry in entries)
