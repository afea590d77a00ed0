"""Coroutines: the cases, the job of each, and who judges its answers."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from runners.harness.contract import Case, Outcome

if TYPE_CHECKING:
    from runners.harness.contract import Parameters, Surroundings

BASELINE = "one_after_another"
CASES = {"ten thousand": Case({"size": "published", "coroutines": 10_000}, warm_up={"coroutines": 10})}


class Job(NamedTuple):
    """What a runner gets: how many coroutines to run."""

    coroutines: int

    @staticmethod
    async def work(number: int) -> int:
        """Let others go first, once."""
        await asyncio.sleep(0)
        return number


def prepare(parameters: Parameters, _surroundings: Surroundings) -> Job:
    """Make the job."""
    return Job(int(parameters["coroutines"]))


def at_once(job: Job) -> dict[str, int]:
    """Allow one at a time, or all."""
    return {"one": 1, "coroutines": job.coroutines}


def judge(job: Job, returned: list[int]) -> Outcome:
    """Check that each has answered."""
    return Outcome({}, [], "" if returned == [*range(job.coroutines)] else "not every coroutine has answered")
