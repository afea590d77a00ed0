"""The cost of a run is known before it begins, and a job that hangs is ended in time."""

import pytest
from workflow import MATRIX

from actions import cost, dispatch
from generate import check
from runners.harness import matrix
from runners.harness.catalogue.scenarios import find

SCENARIOS = [*find()]
MINUTES = matrix.read().minutes


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
        ({"pythons": "3.13", "scenarios": "primes"}, 5 + 2 * 4 * 10 / 103),
    ],
)
def test_minutes_follow_builds_rounds_and_scenarios(inputs: dict[str, str], minutes: float) -> None:
    plan = dispatch.make_plan({"machines": "ubuntu-24.04", **inputs}, SCENARIOS)
    assert [cost.estimate_minutes(plan, job, MINUTES) for job in plan.jobs] == [pytest.approx(minutes)]


def test_shares_and_sizes_are_of_real_scenarios() -> None:
    real = matrix.read(MATRIX)
    assert {*real.minutes.percent, *real.kilobytes} <= {*SCENARIOS}
    assert dispatch.MOST_KILOBYTES * 1000 == check.MOST_BYTES
    assert sum(real.minutes.percent.values()) == pytest.approx(100, abs=10)


@pytest.mark.parametrize("inputs", [{}, {"profile": "full"}, {"profile": "full", "rounds": "24"}])
def test_jobs_have_twice_the_expected_time_within_six_hours(inputs: dict[str, str]) -> None:
    plan = dispatch.make_plan(inputs, SCENARIOS)
    for job, row in zip(plan.jobs, dispatch.list_jobs(plan, MINUTES), strict=True):
        samples, step, limit = cost.limit_samples(plan, job, MINUTES), int(row["step_minutes"]), int(row["job_minutes"])
        assert samples < step < limit < 360
        assert samples >= min(2 * cost.estimate_minutes(plan, job, MINUTES), cost.MOST_MINUTES)
        assert limit >= MINUTES.set_up + step + cost.TO_UPLOAD_MINUTES
