"""The estimated duration of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from runners.harness import matrix
from runners.harness.catalogue.scenarios import find
from runners.harness.run import duration, plan

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from runners.harness.record.model import Profile

KNOWN = matrix.read().minutes
SCENARIOS = {name: each for name, each in find().items() if name in {*KNOWN.percent, "crossover"}}


def minutes(profile: Profile, *names: str, rounds: int = 0, varied: Sequence[Collection[str]] = ((),)) -> float:
    series = plan.entries(SCENARIOS, plan.Selection(profile, names), varied)
    steps = plan.steps(SCENARIOS, series, rounds or plan.ROUNDS[profile], 1)
    return duration.estimate_minutes(steps, profile, SCENARIOS, KNOWN)


def test_run_takes_its_share_of_the_known_minutes() -> None:
    known: dict[Profile, float] = {"quick": KNOWN.quick, "full": KNOWN.full, "map": KNOWN.map}
    for profile, of_all in known.items():
        assert minutes(profile) == pytest.approx(of_all)
        assert minutes(profile, varied=[(), ()]) == pytest.approx(2 * of_all)
    shares = KNOWN.percent
    assert minutes("full", "primes") == pytest.approx(KNOWN.full * shares["primes"] / sum(shares.values()))
    assert minutes("map", rounds=3) == pytest.approx(KNOWN.map / 3)
    assert 0 < minutes("quick", "primes") < minutes("full", "primes")
    assert 1 < minutes("full", varied=[(), ("aiohttp",)]) < KNOWN.full
