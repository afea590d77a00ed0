"""How long a run is said to take."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from runners.harness import matrix
from runners.harness.catalogue.scenarios import find
from runners.harness.run import duration, plan

if TYPE_CHECKING:
    from runners.harness.record.model import Profile

SCENARIOS = find()
KNOWN = matrix.read().minutes


def minutes(profile: Profile, *names: str, rounds: int = 0, builds: int = 1) -> float:
    series = plan.entries(SCENARIOS, plan.Selection(profile, names), [()] * builds)
    steps = plan.steps(SCENARIOS, series, rounds or plan.ROUNDS[profile], 1)
    return duration.estimate_minutes(steps, profile, SCENARIOS, KNOWN)


@pytest.mark.parametrize(("profile", "whole"), [("quick", KNOWN.quick), ("full", KNOWN.full), ("map", KNOWN.map)])
def test_all_of_a_profile_takes_what_the_table_says_for_each_build(profile: Profile, whole: float) -> None:
    assert minutes(profile) == pytest.approx(whole)
    assert minutes(profile, builds=2) == pytest.approx(2 * whole)


def test_a_part_takes_its_part() -> None:
    shares = KNOWN.percent
    assert minutes("full", "primes") == pytest.approx(KNOWN.full * shares["primes"] / sum(shares.values()))
    assert minutes("map", rounds=3) == pytest.approx(KNOWN.map / 3)
    assert 0 < minutes("quick", "primes") < minutes("full", "primes")


def test_a_variant_with_another_package_takes_less_than_a_whole_build() -> None:
    series = plan.entries(SCENARIOS, plan.Selection("full"), [(), ("aiohttp",)])
    steps = plan.steps(SCENARIOS, series, plan.ROUNDS["full"], 1)
    assert 1 < duration.estimate_minutes(steps, "full", SCENARIOS, KNOWN) < KNOWN.full
