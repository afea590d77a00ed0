"""Hand-over: the cases, the job of each, and who judges the order in which a token went round."""

from __future__ import annotations

import time
from itertools import pairwise
from typing import TYPE_CHECKING

from runners.harness.contract import Case, Outcome

if TYPE_CHECKING:
    from runners.harness.contract import Parameters, Surroundings, Value

BASELINE = "asyncio_queue"

HAND_OVERS = 5_000


def _case(size: str, tasks: int) -> Case:
    return Case(
        {"size": size, "tasks": tasks, "hand_overs": HAND_OVERS},
        warm_up={"tasks": 2, "hand_overs": 20},
        quick=False,
        time_limit_s=20.0,
    )


CASES = {"two tasks": _case("two tasks", 2), "ring of 100 tasks": _case("ring of 100 tasks", 100)}


class Job:
    """What a runner gets: tasks that hand a token on in a ring, and where each says that it has it now."""

    def __init__(self, tasks: int, hand_overs: int) -> None:
        """Begin with nothing handed over."""
        self.tasks = range(tasks)
        self.turns = range(hand_overs // tasks)
        """How many times each task has the token."""
        self.had_ns: list[list[int]] = [[] for _ in self.tasks]
        """By task: when it had the token."""

    def after(self, number: int) -> int:
        """Return the task to which *number* hands the token."""
        return (number + 1) % len(self.tasks)

    def take(self, number: int) -> None:
        """Say that task *number* has the token."""
        self.had_ns[number].append(time.perf_counter_ns())


def prepare(parameters: Parameters, _surroundings: Surroundings) -> Job:
    """Make the job of one case."""
    return Job(int(parameters["tasks"]), int(parameters["hand_overs"]))


def at_once(_job: Job) -> dict[str, int]:
    """Name no limit: one task at a time has the token, and what is judged is their order."""
    return {}


def judge(job: Job, _returned: None) -> Outcome:
    """Check that the token went round: each task in its turn, as often as it should."""
    tasks, turns = len(job.tasks), len(job.turns)
    counts = [len(had_ns) for had_ns in job.had_ns]
    values: dict[str, Value] = {"hand_overs_count": max(sum(counts) - 1, 0)}
    if counts != [turns] * tasks:
        return Outcome(values, [], f"{tasks} tasks are to have the token {turns} times each; they had it {counts[:9]}")
    in_order = [had_ns[turn] for turn in job.turns for had_ns in job.had_ns]
    steps_ns = [after - before for before, after in pairwise(in_order)]
    early = [number for number, step_ns in enumerate(steps_ns, 1) if step_ns < 0]
    if early:
        wrong = f"{len(early)} times a task had the token before its turn: first task {early[0] % tasks}"
        return Outcome(values, [], wrong)
    steps_ns.sort()
    values["handing_over_ns"] = sum(steps_ns)
    values["hand_over_median_ns"] = steps_ns[len(steps_ns) // 2] if steps_ns else None
    values["hand_over_longest_ns"] = max(steps_ns, default=None)
    return Outcome(values, [], "")
