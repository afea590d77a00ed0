"""Every runner on a tiny burst: each job done once, and never more under way than the limit."""

import asyncio

import pytest
from apart import Parameters, take_rightly

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.contract import Surroundings, peak_in_flight
from runners.heartbeat import scenario
from runners.heartbeat import workload as heartbeat

SCENARIO = catalogue.find()["heartbeat"]
TIMES: Parameters = {"await_s": 0.004, "lead_s": 0.004, "work_s": 0.004, "idle_s": 0.02}
TINY: Parameters = {"size": "tiny", "jobs": 6, "limit": 0, **TIMES}
LIMITED = {name for name, runner in SCENARIO.runners.items() if runner.at_once == "limit"}
MS = 1_000_000


@pytest.mark.parametrize("await_s", [0.0, 0.004])
@pytest.mark.parametrize("runner", SCENARIO.runners)
def test_each_job_is_done_once_within_the_limit(runner: str, await_s: float) -> None:
    jobs = 0 if runner == "idle" else 6
    parameters = {**TINY, "await_s": await_s, "jobs": jobs, "limit": 2 if runner in LIMITED else 0}
    values, observed = take_rightly(SCENARIO, runner, parameters)
    assert values["heartbeats_count"] >= 2  # before the jobs and after them, on however busy a machine
    at_most = observed.asked_at_once if await_s else min(1, jobs)
    assert (observed.peak_in_flight or 0) == (at_most or 0)
    if jobs:
        assert values["heartbeat_worst_delay_ns"] >= (4 - 1) * MS
        assert values["jobs_elapsed_ns"] >= 6 * 4 * MS


@pytest.mark.parametrize("runner", [name for name, runner in SCENARIO.runners.items() if runner.at_once == "jobs"])
def test_burst_delays_the_heart_on_every_loop(runner: str) -> None:
    values, _ = take_rightly(SCENARIO, runner, {**TINY, "await_s": 0.0})
    assert values["heartbeat_worst_delay_ns"] >= (6 * 4 - 1) * MS


async def without_limit(job: heartbeat.Job) -> list[int]:
    beating = asyncio.create_task(job.heartbeat())
    answers = await asyncio.gather(*map(job.work, job.numbers))
    beating.cancel()
    return answers


def test_loop_of_another_package_is_seen() -> None:
    assert take_rightly(SCENARIO, "task_burst_uvloop", TINY)[1].loop_classes == ["uvloop.Loop"]


def test_runner_that_ignores_the_limit_is_seen() -> None:
    job = heartbeat.prepare({**TINY, "limit": 2}, Surroundings(2, 1))
    outcome = heartbeat.judge(job, asyncio.run(without_limit(job)))
    assert outcome.wrong == ""
    assert peak_in_flight(outcome.spans) == 6 > heartbeat.at_once(job)["limit"]


def test_lost_or_doubled_job_is_wrong() -> None:
    job = heartbeat.prepare(TINY, Surroundings(2, 1))
    answers = asyncio.run(without_limit(job))
    assert heartbeat.judge(job, answers[1:]).wrong == "6 jobs are to be answered; answered were 5"
    twice = job._replace(done=[*job.done, job.done[0]])
    assert heartbeat.judge(twice, answers).wrong == "6 jobs are to be done, each once; done were 7"
    assert heartbeat.judge(job._replace(delays_ns=[]), answers).wrong == "the heartbeat never beat"


def test_ideal_is_one_job_less_a_beat() -> None:
    burst = SCENARIO.cases["published, jobs that await, no limit"].parameters
    assert scenario.ideal_ns(burst, 2, {}) == 9 * MS
    assert scenario.ideal_ns(SCENARIO.cases["published, no jobs"].parameters, 2, {}) is None
