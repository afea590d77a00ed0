"""Estimates how long a run takes, from the figures in matrix.toml."""

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
    """Estimate the minutes of *steps* from their scenarios' average samples.

    The quick profile leaves out the longest cases, so its own known minutes are an upper limit.
    """
    counts = Counter(step.entry.scenario for step in steps)
    measured: Profile = "map" if profile == "map" else "full"
    estimate = 0.0
    for name, count in counts.items():
        series = plan.entries(scenarios, plan.Selection(measured, (name,)), [()])
        samples = len(series) * plan.ROUNDS[measured] or 1
        estimate += _scenario_minutes(name, measured, known) * count / samples
    if profile != "quick":
        return estimate
    builds, rounds = len({step.entry.build for step in steps}), max((step.round for step in steps), default=0)
    return min(estimate, known.quick * builds * rounds / plan.ROUNDS["quick"])


def _scenario_minutes(name: str, profile: Profile, known: Minutes) -> float:
    """Return a scenario's minutes on one build; one without a known share counts as average."""
    if profile == "map":
        return known.map
    return known.full * known.percent.get(name, mean(known.percent.values())) / sum(known.percent.values())
