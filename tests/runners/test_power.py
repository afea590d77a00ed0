"""The powers: what is a right answer, and in which process it is computed."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.contract import Surroundings, peak_in_flight
from runners.power import processes, scenario
from runners.power import workload as power

if TYPE_CHECKING:
    from runners.harness.contract import Parameters
    from runners.power.workload import Answer

SCENARIO = catalogue.find()["power"]
TINY: Parameters = {"size": "tiny", "exponent": 500, "jobs": 3}


def answers_of(job: power.Job) -> list[Answer]:
    return [job.work(number) for number in job.numbers]


def test_each_power_has_a_process_of_its_own() -> None:
    answers = processes.run(power.prepare(TINY, Surroundings(2, 1)))
    assert len({answer.span.process_id for answer in answers} - {os.getpid()}) == 3


def test_a_wrong_power_is_found_out() -> None:
    job = power.prepare(TINY, Surroundings(2, 1))
    right = answers_of(job)
    outcome = power.judge(job, right[::-1])
    assert outcome.wrong == ""
    longest, total = outcome.values["longest_job_ns"], outcome.values["all_jobs_ns"]
    assert 0 < longest <= total  # type: ignore[operator]  # numbers, where there are answers
    assert "leaves 5" in power.judge(job, [*right[:2], right[2]._replace(remainder=5)]).wrong
    assert "has 7 bits" in power.judge(job, [*right[:2], right[2]._replace(bits=7)]).wrong


def test_an_answer_too_few_or_twice_is_found_out() -> None:
    job = power.prepare(TINY, Surroundings(2, 1))
    right = answers_of(job)
    assert power.judge(job, right[:2]).wrong == "3 powers are asked for; 2 were answered"
    assert power.judge(job, [*right[:2], right[0]]).wrong != ""


def test_two_at_once_are_seen_where_one_is_allowed() -> None:
    job = power.prepare(TINY, Surroundings(2, 1))
    first, *rest = answers_of(job)
    overlapping = [first, *(answer._replace(span=first.span) for answer in rest)]
    assert peak_in_flight(power.judge(job, overlapping).spans) == 3 > power.at_once(job)["one"]


def test_the_published_power_has_the_length_that_is_checked() -> None:
    bits = math.floor(200_000 * math.log2(7777)) + 1
    assert bits == (7777**200_000).bit_length()


def test_the_ideal_is_the_longest_power_or_an_even_share() -> None:
    parameters = SCENARIO.cases["published"].parameters
    assert scenario.ideal_ns(parameters, 2, {"longest_job_ns": 10, "all_jobs_ns": 100}) == 50
    assert scenario.ideal_ns(parameters, 64, {"longest_job_ns": 10, "all_jobs_ns": 100}) == 10
    assert scenario.ideal_ns(parameters, 2, {}) is None
