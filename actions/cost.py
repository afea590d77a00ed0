"""Estimates the time of jobs from matrix.toml, and limits it."""

from actions.run_plan import Plan, PlannedJob
from runners.harness.matrix import Minutes
from runners.harness.run.plan import ROUNDS

MOST_MINUTES = 325
"""No sample begins after this: GitHub ends a job after six hours."""
TIMES_EXPECTED = 2
"""A machine may take this many times as long as the measured one."""
INSTALLING_MINUTES = 30
"""For a build whose packages have no wheels."""
TO_END_MINUTES = 15
"""For the last sample to end."""
TO_UPLOAD_MINUTES = 10
"""For the job, after the step was ended."""


def estimate_minutes(plan: Plan, job: PlannedJob, minutes: Minutes) -> float:
    """Return the longest time a job has taken so far."""
    builds = len(job.pythons) * plan.rounds / ROUNDS[plan.profile]
    return minutes.set_up + builds * minutes.estimate(plan.profile, plan.scenarios)


def limit_samples(plan: Plan, job: PlannedJob, minutes: Minutes) -> int:
    """Return the minutes after which a job begins no sample."""
    expected = len(job.pythons) * INSTALLING_MINUTES + TIMES_EXPECTED * estimate_minutes(plan, job, minutes)
    return round(min(MOST_MINUTES, expected))
