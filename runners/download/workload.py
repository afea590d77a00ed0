"""Download: the cases, the job of each, and who judges its answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from runners.download._latencies import MEANS_S, Page
from runners.harness.contract import Case, Outcome, default_executor_threads

if TYPE_CHECKING:
    from runners.harness.contract import Parameters, Surroundings

BASELINE = "sync_loop"
SITES = True

TAIL_SEED = 2
"""The first whose 40 latencies add up to within 5 % of the fixed ones, so that the two cases can be compared."""

_SIZE: Parameters = {"size": "published", "tasks": 10, "factor": 1.0, "seed": TAIL_SEED}


def _many(size: str, tasks: int, factor: float) -> Case:
    """Make a case of many jobs: a plain loop would take as many times as long as one, so threads are the baseline."""
    return Case(
        {**_SIZE, "size": size, "tasks": tasks, "factor": factor, "tail": 0},
        warm_up={"tasks": 1, "factor": 0.05},
        baseline="threads",
        quick=False,
        steady=True,
    )


CASES = {
    "published, fixed latencies": Case({**_SIZE, "tail": 0}, warm_up={"tasks": 1, "factor": 0.05}, steady=True),
    "published, heavy tail": Case({**_SIZE, "tail": 1}, warm_up={"tasks": 1, "factor": 0.05}, quick=False, steady=True),
    "1,000 jobs, fixed latencies": _many("1,000 jobs", 1000, 1.0),
    "100 jobs, slower links": _many("100 jobs", 100, 5.0),
}


class Job(NamedTuple):
    """What a runner gets: for each task the addresses of its pages. It returns each task's pages, in any order."""

    tasks: tuple[tuple[str, ...], ...]
    bodies: tuple[tuple[bytes, ...], ...]
    """What stands in the pages; not for the runner."""


def pages_of(parameters: Parameters) -> list[list[Page]]:
    """Return the pages of each task of a case."""
    tail, seed, factor = bool(parameters["tail"]), int(parameters["seed"]), float(parameters["factor"])
    return [
        [Page(site, task, tail, seed, factor) for site in range(len(MEANS_S))]
        for task in range(int(parameters["tasks"]))
    ]


def prepare(parameters: Parameters, surroundings: Surroundings) -> Job:
    """Make the job of one case."""
    tasks = pages_of(parameters)
    return Job(
        tuple(tuple(surroundings.sites[page.site] + page.path for page in task) for task in tasks),
        tuple(tuple(page.body for page in task) for task in tasks),
    )


def at_once(job: Job) -> dict[str, int]:
    """Say how many pages may be in flight at one moment, by what the runner declares in AT_ONCE."""
    tasks, pages = len(job.tasks), sum(map(len, job.tasks))
    return {"one": 1, "tasks": tasks, "pages": pages, "default executor": min(default_executor_threads(), tasks)}


def judge(job: Job, returned: list[list[bytes]]) -> Outcome:
    """Check that each task brought its own four pages, in their order; the tasks may be in any order."""
    expected, brought = {*job.bodies}, [tuple(pages) for pages in returned]
    right = [pages for pages in brought if pages in expected]
    wrong = ""
    if sorted(brought) != sorted(job.bodies):
        wrong = f"{len(brought)} tasks came back, {len({*right})} of {len(expected)} with the right pages"
    return Outcome({"pages_count": sum(map(len, right))}, [], wrong)
