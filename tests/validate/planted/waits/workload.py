"""Waits: the cases, the job of each, and who judges its answers."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from runners.harness.contract import Case, Outcome

if TYPE_CHECKING:
    from runners.harness.contract import Parameters, Surroundings

BASELINE = "plain"
CASES = {"ten tasks": Case({"size": "published", "waits": 30}, warm_up={"waits": 1})}
TASKS = 10


class Job(NamedTuple):
    """What a runner gets: how often each task waits."""

    waits: int

    async def all_tasks(self, waits: int) -> int:
        """Let each task wait *waits* times, and return how many waits that were."""
        return sum(await asyncio.gather(*[_wait(waits) for _ in range(TASKS)]))


async def _wait(times: int) -> int:
    for _ in range(times):
        await asyncio.sleep(0.01)
    return times


def prepare(parameters: Parameters, _surroundings: Surroundings) -> Job:
    return Job(int(parameters["waits"]))


def at_once(_job: Job) -> dict[str, int]:
    return {"tasks": TASKS}


def judge(job: Job, returned: int) -> Outcome:
    requested = TASKS * job.waits
    return Outcome({}, [], "" if returned >= requested else f"{returned} waits of {requested}")
