"""What a run takes is said before it begins, and a job that hangs is ended in time."""

from __future__ import annotations

import re

import msgspec
import pytest
from workflow import need_the_same_matrix

from actions import cost, dispatch
from generate import check
from runners.harness import matrix
from runners.harness.catalogue.scenarios import ROOT, find

SCENARIOS = [*find()]
KNOWN = matrix.read()
MINUTES = KNOWN.minutes


def expected(**inputs: str) -> list[float]:
    plan = dispatch.planned(inputs, SCENARIOS)
    return [cost.expected_minutes(plan, job, MINUTES) for job in plan.jobs]


@pytest.mark.parametrize(
    ("inputs", "minutes"),
    [
        ({"pythons": "3.13"}, 5 + 2 * 4),
        ({"pythons": "3.14"}, 5 + 4),
        ({"pythons": "3.13", "rounds": "6"}, 5 + 2 * 8),
        ({"pythons": "3.13", "profile": "full"}, 5 + 2 * 24),
        ({"pythons": "3.13", "profile": "full", "rounds": "24"}, 5 + 2 * 96),
        ({"pythons": "3.12, 3.13, 3.14t", "profile": "full"}, 5 + 4 * 24),
        ({"pythons": "3.13", "profile": "map"}, 5 + 2 * 30),
        ({"pythons": "3.13", "profile": "map", "scenarios": "crossover", "rounds": "18"}, 5 + 2 * 60),
        ({"pythons": "3.13", "profile": "full", "scenarios": "primes, download"}, 5 + 2 * 24 * 28 / 103),
        ({"pythons": "3.13", "scenarios": "primes"}, 5 + 2 * 24 * 3 / 6 * 10 / 103),
        ({"pythons": "3.13", "scenarios": "primes, download, heartbeat"}, 5 + 2 * 4),
    ],
)
def test_minutes_follow_from_builds_rounds_and_scenarios(inputs: dict[str, str], minutes: float) -> None:
    assert expected(machines="ubuntu-24.04", **inputs) == [pytest.approx(minutes)]


def test_with_a_scenario_of_unknown_share_a_run_counts_as_one_of_all() -> None:
    plan = dispatch.planned({"pythons": "3.13", "machines": "macos-26", "scenarios": "primes"}, SCENARIOS)
    plan = msgspec.structs.replace(plan, scenarios=["primes", "new"])
    assert cost.expected_minutes(plan, plan.jobs[0], MINUTES) == 5 + 2 * 4


def test_the_shares_are_of_scenarios_that_there_are_and_come_to_the_whole() -> None:
    assert {*MINUTES.percent} <= {*SCENARIOS}
    assert sum(MINUTES.percent.values()) == pytest.approx(100, abs=10)


def test_the_sizes_are_of_scenarios_that_there_are_and_of_the_largest_file_that_is_published() -> None:
    assert {*KNOWN.kilobytes} <= {*SCENARIOS}
    assert dispatch.MOST_KILOBYTES * 1000 == check.MOST_BYTES


def test_the_summary_has_each_job_and_the_minutes_of_macos_apart() -> None:
    plan = dispatch.planned(
        {"machines": "ubuntu-24.04, macos-26", "pythons": "3.14, 3.13, 3.13+PYTHON_JIT=1"}, SCENARIOS
    )
    text = cost.summary(plan, KNOWN)
    assert "\n4 cells, 2 variants in 4 jobs: at most about 52 minutes, 26 of them on macOS, " in text
    assert text.splitlines().count("| macos-26--job2 | 3.14, 3.13, 3.13+PYTHON_JIT=1 | 17 |") == 1
    alone = dispatch.planned({"machines": "ubuntu-24.04", "pythons": "3.14"}, SCENARIOS)
    of_one = "\n1 cell in 1 job: at most about 9 minutes; 4 for each build in a job.\n"
    assert of_one in cost.summary(alone, KNOWN)


def test_repeats_multiply_jobs_and_minutes() -> None:
    inputs = {"machines": "ubuntu-24.04", "pythons": "3.14, 3.13"}
    assert expected(**inputs, repeats="3") == 3 * expected(**inputs)
    text = cost.summary(dispatch.planned({**inputs, "repeats": "3"}, SCENARIOS), KNOWN)
    assert "\n6 cells in 6 jobs, 3 runs of each build: at most about 66 minutes; 4 for each build in a job.\n" in text
    assert text.splitlines().count("| ubuntu-24.04--job2--run3 | 3.14, 3.13 | 13 |") == 1


def test_every_job_ends_within_the_six_hours_that_github_gives_it_and_has_twice_what_is_expected() -> None:
    for inputs in ({}, {"profile": "full"}, {"profile": "full", "rounds": "24"}):
        plan = dispatch.planned(inputs, SCENARIOS)
        for job in plan.jobs:
            limits = cost.limits(plan, job, MINUTES)
            assert limits.samples < limits.step < limits.job < 360
            wanted = 2 * cost.expected_minutes(plan, job, MINUTES)
            assert limits.samples >= min(wanted, cost.MOST_MINUTES)
            assert limits.job >= MINUTES.set_up + limits.step + cost.TO_UPLOAD_MINUTES


def test_the_hours_of_the_schedules_in_the_readme_are_those_of_the_plan() -> None:
    need_the_same_matrix()
    text = " ".join((ROOT / ".github/workflows/README.md").read_text(encoding="utf-8").split())
    weekly, monthly = re.findall(r"in some (\d+) hours of jobs, and the map each month, in some (\d+)", text)[0]
    assert int(weekly) == round(sum(expected(profile="full")) / 60)
    assert int(monthly) == round(sum(expected(profile="map")) / 60)
