"""What a run takes: the minutes of its jobs by matrix.toml's figures, and when each is ended. Pure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from actions import named_builds
from runners.harness.run.plan import ROUNDS

if TYPE_CHECKING:
    from actions.run_plan import Plan, PlannedJob
    from runners.harness.matrix import Matrix, Minutes

MOST_MINUTES = 325
"""This long after it began to measure no sample is begun, whatever it measures: GitHub ends a job after six hours."""
TIMES_EXPECTED = 2
"""A machine that is slower than those that were measured may take so much longer."""
INSTALLING_MINUTES = 30
"""Of a build whose packages have no wheels and are compiled."""
TO_END_MINUTES = 15
"""The sample that was begun last ends within these; then the step is ended."""
TO_UPLOAD_MINUTES = 10
MACOS = "macos"


class Limits(NamedTuple):
    """Minutes of measuring after which no sample is begun and the step is ended, and those after which the job is."""

    samples: int
    step: int
    job: int


def expected_minutes(plan: Plan, job: PlannedJob, minutes: Minutes) -> float:
    """Return what a job takes: the most of what has been measured."""
    return minutes.set_up + len(job.pythons) * _of_a_build(plan, minutes)


def limits(plan: Plan, job: PlannedJob, minutes: Minutes) -> Limits:
    """Return when a job is ended."""
    builds = len(job.pythons)
    samples = min(MOST_MINUTES, builds * INSTALLING_MINUTES + TIMES_EXPECTED * expected_minutes(plan, job, minutes))
    step = round(samples) + TO_END_MINUTES
    return Limits(round(samples), step, math.ceil(minutes.set_up) + step + TO_UPLOAD_MINUTES)


def summary(plan: Plan, known: Matrix) -> str:
    """Return what a plan takes, as Markdown."""
    expected = {job.id: expected_minutes(plan, job, known.minutes) for job in plan.jobs}
    macos = sum(expected[job.id] for job in plan.jobs if job.machine.startswith(MACOS))
    apart = f", {macos:.0f} of them on macOS, whose minutes cost a private repository most" if macos else ""
    cells = sum(named_builds.is_plain(cell.python, known.versions) for cell in plan.cells)
    measured = named_builds.count_noun(cell=cells, variant=len(plan.cells) - cells)
    number = f"{measured} in {named_builds.count_noun(job=len(plan.jobs))}"
    if plan.repeats > 1:
        number += f", {plan.repeats} runs of each build"
    each = f"{_of_a_build(plan, known.minutes):.0f} for each build in a job"
    head = f"{number}: at most about {sum(expected.values()):.0f} minutes{apart}; {each}."
    rows = [f"| {job.id} | {', '.join(job.pythons)} | {expected[job.id]:.0f} |" for job in plan.jobs]
    table = ["| job | builds, in turn | minutes |", "|---|---|---|", *rows]
    return "\n".join(["## What it takes", "", head, "", *table, ""])


def _of_a_build(plan: Plan, minutes: Minutes) -> float:
    """Return what a build takes. A quick run does less of each scenario, and of each another part."""
    whole: float = getattr(minutes, plan.profile)
    of_all = whole * plan.rounds / ROUNDS[plan.profile]
    if plan.profile != "quick":
        return of_all * _share(plan, minutes)
    return min(of_all, minutes.full * plan.rounds / ROUNDS["full"] * _share(plan, minutes))


def _share(plan: Plan, minutes: Minutes) -> float:
    """Return the share of a full run's time that the plan's scenarios take: 1 where not known, and of the map."""
    if plan.profile == "map" or not plan.scenarios or any(name not in minutes.percent for name in plan.scenarios):
        return 1.0
    return min(1.0, sum(minutes.percent[name] for name in plan.scenarios) / sum(minutes.percent.values()))
