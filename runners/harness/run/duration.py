"""Roughly how long a run takes, by matrix.toml's figures. Pure."""

from __future__ import annotations

from collections import Counter
from statistics import mean
from typing import TYPE_CHECKING

from runners.harness.run import plan

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from runners.harness.catalogue.scenarios import Scenario
    from runners.harness.matrix import Minutes
    from runners.harness.record.model import Profile
    from runners.harness.run.plan import Step


def estimate_minutes(
    steps: Sequence[Step], profile: Profile, scenarios: Mapping[str, Scenario], known: Minutes
) -> float:
    """Return what *steps* take if each takes as long as a sample of its scenario does on average.

    A quick run leaves out the cases that take longest: together its samples take no longer than they are known to.
    """
    counts = Counter(step.entry.scenario for step in steps)
    whole: Profile = "map" if profile == "map" else "full"
    found = sum(
        _of_scenario(name, whole, known) * count / _samples(scenarios, name, whole) for name, count in counts.items()
    )
    if profile != "quick":
        return found
    builds, rounds = len({step.entry.build for step in steps}), max((step.round for step in steps), default=0)
    return min(found, known.quick * builds * rounds / plan.ROUNDS["quick"])


def _of_scenario(name: str, profile: Profile, known: Minutes) -> float:
    """Return the minutes of a scenario on one build; one that has no share is taken for one like the others."""
    if profile == "map":
        return known.map
    return known.full * known.percent.get(name, mean(known.percent.values())) / sum(known.percent.values())


def _samples(scenarios: Mapping[str, Scenario], name: str, profile: Profile) -> int:
    """Return how many samples a scenario has on one build in the profile's own rounds; of one that has none 1."""
    series = plan.entries(scenarios, plan.Selection(profile, (name,)), [()])
    return len(plan.steps(scenarios, series, plan.ROUNDS[profile], seed=0)) or 1
