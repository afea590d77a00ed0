"""Gather tree: the cases, the job of each, and who judges its answers."""

from __future__ import annotations

import asyncio
import contextlib
import math
import random
import time
from typing import TYPE_CHECKING, NamedTuple

from runners.harness.contract import Case, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from runners.harness.contract import Parameters, Surroundings

    Leaf = Callable[[], Coroutine[None, None, int]]

BASELINE = "gather_before"

WAIT_S = 0.05
HIGHEST_DRAW = 100
HIGHEST_REMEMBERED = 90
COMPUTING_SHARE = 0.5
FACTORIAL_OF = 500
REPEATS = 9  # the plain calls are timed again while that is cheap, and the best is kept: it serves as a limit
REPEAT_FOR_NS = 20_000_000


def _case(size: str, leaf: str, *, quick: bool, full: bool) -> Case:
    depth = {"depth 5": 5, "published": 6}[size]
    parameters: Parameters = {"size": size, "leaf": leaf, "depth": depth, "branches": 6, "seed": 0, "wait_s": WAIT_S}
    return Case(parameters, warm_up={"depth": 2, "wait_s": 0.001}, quick=quick, full=full, steady=leaf == "io")


CASES = {
    "depth 5, none": _case("depth 5", "none", quick=True, full=False),
    "depth 5, io": _case("depth 5", "io", quick=True, full=False),
    "depth 5, memoization": _case("depth 5", "memoization", quick=True, full=False),
    "depth 5, cpu_io_mixed": _case("depth 5", "cpu_io_mixed", quick=True, full=False),
    "published, none": _case("published", "none", quick=False, full=True),
    "published, io": _case("published", "io", quick=False, full=True),
    "published, memoization": _case("published", "memoization", quick=False, full=True),
    "published, cpu_io_mixed": _case("published", "cpu_io_mixed", quick=False, full=True),
}


class Leaves:
    """Makes the leaves of one tree; remembers draws and counts waits, as all leaves of a tree share them."""

    def __init__(self, seed: int, wait_s: float | None) -> None:
        """Start with nothing drawn. With *wait_s* None a leaf that would wait goes on at once."""
        self.draw = random.Random(seed)  # noqa: S311 - a workload, not a secret
        self.wait_s = wait_s
        self.drawn: set[int] = set()
        self.waits = 0

    async def none(self) -> int:
        """Do nothing."""
        return 1

    async def io(self) -> int:
        """Wait."""
        self.waits += 1
        if self.wait_s is not None:
            await asyncio.sleep(self.wait_s)
        return 1

    async def memoization(self) -> int:
        """Wait, unless the number drawn is one of those remembered and was drawn before."""
        number = self.draw.randint(1, HIGHEST_DRAW)
        if number <= HIGHEST_REMEMBERED:
            if number in self.drawn:
                return 1
            self.drawn.add(number)
        return await self.io()

    async def cpu_io_mixed(self) -> int:
        """Compute or do as a memoization leaf, as often the one as the other."""
        if self.draw.random() < COMPUTING_SHARE:
            math.factorial(FACTORIAL_OF)
            return 1
        return await self.memoization()


class Job(NamedTuple):
    """What a runner gets: the leaf to call at the bottom, how deep the tree is and how many branches it has."""

    leaf: Leaf
    depth: int
    branches: int
    leaves: Leaves
    parameters: Parameters


def prepare(parameters: Parameters, _surroundings: Surroundings) -> Job:
    """Make the job of one case."""
    return _job(parameters, float(parameters["wait_s"]))


def _job(parameters: Parameters, wait_s: float | None) -> Job:
    leaves = Leaves(int(parameters["seed"]), wait_s)
    leaf: Leaf = getattr(leaves, str(parameters["leaf"]))
    return Job(leaf, int(parameters["depth"]), int(parameters["branches"]), leaves, parameters)


def at_once(_job: Job) -> dict[str, int]:
    """Name no limit: all leaves of a tree may be under way together."""
    return {}


async def _nested(job: Job, level: int) -> int:
    if level == 0:
        return await job.leaf()
    total = 0
    for _ in range(job.branches):
        total += await _nested(job, level - 1)
    return total


def call_plainly(parameters: Parameters) -> tuple[int, int]:
    """Run the tree of *parameters* as plain nested awaits that never wait; return the ns it took and how many would."""
    job = _job(parameters, None)
    tree = _nested(job, job.depth)
    started_ns = time.perf_counter_ns()
    with contextlib.suppress(StopIteration):
        tree.send(None)  # nothing in it waits, so it needs no event loop
    return time.perf_counter_ns() - started_ns, job.leaves.waits


def judge(job: Job, returned: int) -> Outcome:
    """Check that each leaf was reached once and that the right ones waited, and compute what the ideal needs."""
    calls_ns, waits = call_plainly(job.parameters)
    for _ in range(min(REPEATS, REPEAT_FOR_NS // calls_ns)):
        calls_ns = min(calls_ns, call_plainly(job.parameters)[0])
    leaves = job.branches**job.depth
    wrong = ""
    if returned != leaves:
        wrong = f"the tree has {leaves} leaves; {returned} were reached"
    elif job.leaves.waits != waits:
        wrong = f"{waits} leaves have to wait; {job.leaves.waits} did"
    return Outcome({"nested_awaits_ns": calls_ns, "waits_count": job.leaves.waits}, [], wrong)
