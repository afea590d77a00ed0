"""The powers: processes, and right answers, also of the primes."""

import os
from typing import Any

import pytest
from apart import Parameters

from runners.harness.contract import Surroundings, peak_in_flight
from runners.power import processes
from runners.power import scenario as power_scenario
from runners.power import workload as power
from runners.primes import scenario as primes_scenario
from runners.primes import workload as primes

TINY: Parameters = {"size": "tiny", "exponent": 500, "jobs": 3}


def answer_all(workload: Any) -> tuple[Any, list[Any]]:  # noqa: ANN401 - a module: one of two with three tiny jobs
    job = workload.prepare({**TINY, "skip": 5, "timer": 0}, Surroundings(2, 1))
    return job, [job.work(number) for number in job.numbers]


def test_each_power_has_a_process_of_its_own() -> None:
    answers = processes.run(power.prepare(TINY, Surroundings(2, 1)))
    assert len({answer.span.process_id for answer in answers} - {os.getpid()}) == 3


@pytest.mark.parametrize(
    ("workload", "fault"),
    [
        (power, "3 powers are asked for; {count} were answered"),
        (primes, "the numbers answered are not the numbers asked"),
    ],
)
def test_lost_or_doubled_answer_is_found(workload: Any, fault: str) -> None:  # noqa: ANN401 - a module
    job, right = answer_all(workload)
    outcome = workload.judge(job, right[::-1])
    assert outcome.wrong == ""
    assert 0 < outcome.values["longest_job_ns"] <= outcome.values["all_jobs_ns"]
    assert workload.judge(job, right[:2]).wrong == fault.format(count=2)
    assert workload.judge(job, [*right[:2], right[0]]).wrong == fault.format(count=3)
    overlapping = [answer._replace(span=right[0].span) for answer in right]
    assert peak_in_flight(workload.judge(job, overlapping).spans) == 3 > workload.at_once(job)["one"]


def test_wrong_answer_is_found() -> None:
    job, right = answer_all(power)
    assert "leaves 5" in power.judge(job, [*right[:2], right[2]._replace(remainder=5)]).wrong
    assert "has 7 bits" in power.judge(job, [*right[:2], right[2]._replace(bits=7)]).wrong
    job, right = answer_all(primes)
    assert primes.judge(job, [*right[:2], right[2]._replace(prime=True)]).wrong == "4 is not prime"


@pytest.mark.parametrize("scenario", [power_scenario, primes_scenario])
def test_ideal_is_the_longest_job_or_an_even_share(scenario: Any) -> None:  # noqa: ANN401 - a module
    baseline = {"longest_job_ns": 10, "all_jobs_ns": 100}
    assert [scenario.ideal_ns({"timer": 0}, cores, baseline) for cores in (2, 64)] == [50, 10]
    assert scenario.ideal_ns({"timer": 0}, 2, {}) is None
    assert primes_scenario.ideal_ns({"timer": 1}, 2, baseline) is None
