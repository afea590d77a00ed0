"""The samples of a run, and their order."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import groupby

import pytest
from planted import scenarios

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.catalogue.scenarios import Scenario
from runners.harness.record.model import Profile
from runners.harness.run import plan
from runners.harness.run.plan import Entry, Selection, Step

PLANTED = scenarios()
FULL = Selection("full")


def steps(builds: int = 1, rounds: int = 4, seed: int = 1) -> list[Step]:
    return plan.steps(PLANTED, plan.entries(PLANTED, FULL, [()] * builds), rounds, seed)


def with_second_case(**changes: object) -> Mapping[str, Scenario]:
    """Return a scenario with a second case in the block of the first."""
    scenario = PLANTED["misbehaving"]
    first = scenario.cases["tiny"]._replace(block="both")
    second = first._replace(**changes)  # type: ignore[arg-type] # any field of a case
    return {"misbehaving": replace(scenario, cases={"first": first, "second": second})}


def test_slow_cases_are_quick_only_if_named() -> None:
    scenarios = catalogue.find()
    assert all({*slow} <= scenarios[name].cases.keys() for name, slow in plan.SLOW.items())
    for name, slow in plan.SLOW.items():
        everything, named = (Selection("quick", chosen).select_cases(scenarios[name]) for chosen in ((), (name,)))
        assert {*named} - {*everything} == {*slow}
        assert Selection("quick", cases=tuple(slow)).select_cases(scenarios[name])


def test_seed_decides_the_order_of_each_round() -> None:
    assert steps() == steps()
    assert steps(seed=2) != steps()
    assert {step.entry for step in steps(seed=2)} == {step.entry for step in steps()}
    shorter = steps(rounds=2)
    assert steps(rounds=4)[: len(shorter)] == shorter
    rounds = [[step.entry for step in steps(rounds=6) if step.round == number] for number in range(1, 7)]
    assert all(len(set(each)) == len(each) == len(plan.entries(PLANTED, FULL, [()])) for each in rounds)
    assert len({tuple(entry for entry in each if entry.scenario == "misbehaving") for each in rounds}) == 6
    assert len({tuple(dict.fromkeys(entry.scenario for entry in each)) for each in rounds}) > 2


def test_block_is_measured_back_to_back_with_all_builds() -> None:
    for _, group in groupby(steps(builds=3), key=lambda step: (step.round, step.entry.scenario)):
        block = list(group)
        assert {step.entry.build for step in block} == {0, 1, 2}
        assert [step.position for step in block] == list(range(len(block)))
    two_cases = with_second_case()
    planned = plan.steps(two_cases, plan.entries(two_cases, FULL, [()]), 1, 1)
    assert {step.position for step in planned} == set(range(len(planned)))
    assert {step.entry.case for step in planned} == {"first", "second"}


def test_selection_is_measured_with_its_baseline() -> None:
    real, case = catalogue.find(), "closed loop, 16 at once"
    chosen = plan.entries(real, Selection("full", ("open_loop",), cases=(case,)), [()])
    others = {(entry.case, entry.runner) for entry in chosen if entry.case != case}
    assert {entry.role for entry in chosen} == {"subject", "control"}
    assert others <= {real["open_loop"].find_baseline(real["open_loop"].find_block(case))}
    assert not plan.entries(real, Selection("full", cases=("1 task",)), [()])
    chosen = plan.entries(PLANTED, Selection("full", ("misbehaving",), ("breaks",)), [()])
    series = [("breaks", "subject"), ("doubles", "subject"), ("doubles", "control")]
    assert [(entry.runner, entry.role) for entry in chosen] == series


def test_case_may_have_its_own_baseline_profile_and_runners() -> None:
    scenario = with_second_case(baseline="breaks", quick=False, parameters={"size": "tiny", "way": "raises"})
    controls = [entry for entry in plan.entries(scenario, FULL, [()]) if entry.role == "control"]
    assert controls == [Entry("misbehaving", "second", "breaks", "control", 0)]
    assert {entry.case for entry in plan.entries(scenario, FULL, [()])} == {"first", "second"}
    assert {entry.case for entry in plan.entries(scenario, Selection("quick"), [()])} == {"first"}
    second = with_second_case(parameters={"size": "tiny", "way": "raises"})["misbehaving"]
    breaks = replace(second.runners["breaks"], only={"way": ("",)})
    entries = plan.entries({"": replace(second, runners={**second.runners, "breaks": breaks})}, FULL, [()])
    assert [entry.case for entry in entries if entry.runner == "breaks"] == ["first"]


@pytest.mark.parametrize("profile", plan.ROUNDS)
def test_every_real_block_has_one_baseline_and_its_control(profile: Profile) -> None:
    real = catalogue.find()
    entries = plan.entries(real, Selection(profile), [()] * 2)
    blocks = {(entry.build, entry.scenario, real[entry.scenario].find_block(entry.case)) for entry in entries}
    controls = [entry for entry in entries if entry.role == "control"]
    assert len(controls) == len(blocks)
    assert blocks == {(entry.build, entry.scenario, real[entry.scenario].find_block(entry.case)) for entry in controls}
    assert all(replace(entry, role="subject") in entries for entry in controls)


def test_variant_measures_only_importers_of_its_package() -> None:
    real = catalogue.find()
    entries = plan.entries(real, FULL, [(), ("tornado",)])
    assert {entry.build for entry in entries} == {0, 1}
    runners = {(entry.scenario, entry.runner) for entry in entries if entry.role == "subject"}
    baselines = {runner for scenario, runner in runners if "tornado" not in real[scenario].runners[runner].packages}
    assert {runner for _, runner in runners} - baselines == {"tornado_awaiting", "tornado_blocking", "tornado_executor"}
    assert baselines == {"http_server_fair", "threading_server", "aiohttp_awaiting"}
    assert [entry.key for entry in entries if entry.build == 0] == [entry.key for entry in entries if entry.build == 1]


def test_reference_measures_everything_if_another_build_does() -> None:
    entries = plan.entries(PLANTED, FULL, [(), (), ("tornado",)])
    assert [entry for entry in entries if entry.build == 0] == plan.entries(PLANTED, FULL, [()])
    assert not any(entry.build == 2 for entry in entries)
