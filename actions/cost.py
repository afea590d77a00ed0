"""How long jobs take, by the figures of matrix.toml, and when each is ended."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from runners.harness.run.plan import ROUNDS

if TYPE_CHECKING:
    from actions.run_plan import Plan, PlannedJob
    from runners.harness.matrix import Matrix, Minutes

MOST_MINUTES = 325
"""No sample begins after this: GitHub ends a job after six hours."""
TIMES_EXPECTED = 2
"""How much slower a machine may be than the measured one."""
INSTALLING_MINUTES = 30
"""For a build whose packages have no wheels."""
TO_END_MINUTES = 15
"""The last sample ends within these."""
TO_UPLOAD_MINUTES = 10


class Limits(NamedTuple):
    """Minutes after which no sample begins, the step is ended, and the job is ended."""

    samples: int
    step: int
    job: int


def expected_minutes(plan: Plan, job: PlannedJob, minutes: Minutes) -> float:
    """Return the most that a job has been seen to take."""
    return minutes.set_up + len(job.pythons) * _build_minutes(plan, minutes)


def limits(plan: Plan, job: PlannedJob, minutes: Minutes) -> Limits:
    """Return when a job is ended."""
    expected = len(job.pythons) * INSTALLING_MINUTES + TIMES_EXPECTED * expected_minutes(plan, job, minutes)
    samples = round(min(MOST_MINUTES, expected))
    step = samples + TO_END_MINUTES
    return Limits(samples, step, math.ceil(minutes.set_up) + step + TO_UPLOAD_MINUTES)


def summary(plan: Plan, known: Matrix) -> str:
    """Return the expected minutes in Markdown, before any of them is spent."""
    expected = {job.id: expected_minutes(plan, job, known.minutes) for job in plan.jobs}
    macos = sum(minutes for job, minutes in expected.items() if job.startswith("macos"))
    on_macos = f", {macos:.0f} of them on macOS, which cost a private repository most" if macos else ""
    total = f"at most about {sum(expected.values()):.0f} minutes{on_macos}"
    rows = [f"| {job.id} | {', '.join(job.pythons)} | {expected[job.id]:.0f} |" for job in plan.jobs]
    head = f"{len(plan.cells)} cells in {len(plan.jobs)} jobs: {total}."
    return "\n".join(["## Cost", "", head, "", "| job | builds, in turn | minutes |", "|---|---|---|", *rows, ""])


def _build_minutes(plan: Plan, minutes: Minutes) -> float:
    """Return what a build takes, by the share of the plan's scenarios in a full run if that is known."""
    whole: float = getattr(minutes, plan.profile) * plan.rounds / ROUNDS[plan.profile]
    if plan.profile == "map" or not plan.scenarios or not minutes.percent.keys() >= {*plan.scenarios}:
        return whole
    return whole * min(1.0, sum(minutes.percent[name] for name in plan.scenarios) / sum(minutes.percent.values()))
