"""Every runner with a few hand-overs: the token goes round in order, and tasks that never switch are wrong."""

import asyncio

import pytest
from apart import Parameters, take_rightly

from runners.hand_over import workload as hand_over
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.contract import Surroundings

SCENARIO = catalogue.find()["hand_over"]
PAIR: Parameters = {"size": "tiny", "tasks": 2, "hand_overs": 60}
RING: Parameters = {"size": "tiny", "tasks": 5, "hand_overs": 50}
IN_A_RING = [name for name, runner in SCENARIO.runners.items() if not runner.only]


def make_job(parameters: Parameters = PAIR) -> hand_over.Job:
    return hand_over.prepare(parameters, Surroundings(2, 1))


def job_with(*had_ns: list[int]) -> hand_over.Job:
    job = make_job({"tasks": len(had_ns), "hand_overs": 3 * len(had_ns)})
    job.had_ns[:] = had_ns
    return job


@pytest.mark.parametrize(
    ("runner", "parameters"),
    [*((runner, PAIR) for runner in SCENARIO.runners), *((runner, RING) for runner in IN_A_RING)],
)
def test_tasks_hand_the_token_on(runner: str, parameters: Parameters) -> None:
    values, _ = take_rightly(SCENARIO, runner, parameters)
    assert values["hand_overs_count"] == parameters["hand_overs"] - 1  # type: ignore[operator]  # a number
    assert 0 < values["handing_over_ns"] <= values["elapsed_ns"]
    assert values["hand_over_median_ns"] <= values["hand_over_longest_ns"] <= values["handing_over_ns"]


def test_tasks_that_never_switch_are_wrong() -> None:
    job = make_job()

    async def all_its_turns(number: int) -> None:
        for _ in job.turns:
            job.take(number)

    async def main() -> None:
        await asyncio.gather(*map(all_its_turns, job.tasks))

    asyncio.run(main())
    outcome = hand_over.judge(job, None)
    assert outcome.wrong == "29 times a task had the token before its turn: first task 0"
    assert "handing_over_ns" not in outcome.values


def test_order_and_number_of_turns_are_judged() -> None:
    right = hand_over.judge(job_with([1, 5, 9], [3, 7, 20]), None)
    names = ("hand_overs_count", "handing_over_ns", "hand_over_median_ns", "hand_over_longest_ns")
    assert (right.wrong, right.values) == ("", dict(zip(names, (5, 19, 2, 11), strict=True)))
    swapped = hand_over.judge(job_with([1, 5, 9], [3, 4, 20]), None)
    assert swapped.wrong == "1 times a task had the token before its turn: first task 1"
    lost = hand_over.judge(job_with([1, 5, 9], [3, 7]), None)
    assert lost.wrong == "2 tasks are to have the token 3 times each; they had it [3, 2]"
    assert hand_over.judge(make_job(), None).values == {"hand_overs_count": 0}
