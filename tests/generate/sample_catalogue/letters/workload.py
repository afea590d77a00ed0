"""Letters: the cases, the job of each, and who judges its answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runners.harness.contract import Case, Outcome

if TYPE_CHECKING:
    from runners.harness.contract import Parameters, Surroundings

BASELINE = "sync_loop"
CASES = {
    "published": Case({"size": "published", "workers": 4}, warm_up={}),
    "tenth": Case({"size": "tenth", "workers": 4}, warm_up={}),
}


def prepare(_parameters: Parameters, _surroundings: Surroundings) -> list[str]:
    return ["b", "a"]


def at_once(_job: list[str]) -> dict[str, int]:
    return {"one": 1}


def judge(job: list[str], returned: list[str]) -> Outcome:
    return Outcome({}, [], "" if returned == sorted(job) else "they are not sorted")
