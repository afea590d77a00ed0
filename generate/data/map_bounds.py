"""What arithmetic says of a model at any point, measured or not: a lower bound of its time, and an upper one. Pure."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, NamedTuple

from generate.data.work_map import COMPUTES_IN, SCENARIO

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from generate.data.work_map import MapPoint, Point, WorkMap
    from runners.harness.catalogue.scenarios import Runner

LARGEST_DEFAULT = 32
"""Threads of a pool of the library's size: four more than there are cores, at most so many."""
MOST_NEAR = 3
STEP = 10
"""Stands for nothing among times in us: a step of ten below the shortest."""


def workers(runner: Runner, cores: int) -> int:
    """Return how many tasks a model has under way at most, its pool being of the default size; 0: no limit."""
    sizes = {"one": 1, "workers": cores, "default pool": min(LARGEST_DEFAULT, cores + 4)}
    return sizes.get(runner.at_once or "", 0)


class Bound(NamedTuple):
    """The least time that a model takes, ns."""

    turns_ns: float
    """By how many tasks it has under way at most."""
    computing_ns: float
    """By the cores that compute everything before the last wait."""

    @property
    def least_ns(self) -> float:
        """The bound."""
        return max(self)

    @property
    def is_by_turns(self) -> bool:
        """True if a larger pool would be faster."""
        return self.turns_ns > self.computing_ns


def bound_of(drawn: WorkMap, runner: Runner, point: Point) -> Bound:
    """Return a model's bound at a point."""
    return _bound(drawn, runner, point, point.compute_us * computing_share(drawn, point.kind))


def _bound(drawn: WorkMap, runner: Runner, point: Point, compute_us: float) -> Bound:
    turns = math.ceil(point.tasks / (workers(runner, drawn.cores) or point.tasks))
    family = COMPUTES_IN.get(runner.name, runner.family)
    needs_gil = drawn.has_gil and point.kind != "hashing"
    is_parallel = family in {"processes", "interpreters"} or (family == "threads" and not needs_gil)
    computing_us = point.tasks * compute_us / (drawn.cores if is_parallel else 1)
    return Bound(1e3 * turns * (compute_us + point.wait_us), 1e3 * (computing_us + point.wait_us))


@functools.lru_cache(maxsize=64)
def computing_share(drawn: WorkMap, kind: str) -> float:
    """Return how much of its nominal length computing takes at least: all builds of a run do the same turns."""
    runners = drawn.result.gated.view.scenarios[SCENARIO].runners
    computing = [at for at in drawn.points if at.point.kind == kind and at.point.compute_us and not at.point.wait_us]
    shares = (
        one.estimate.value / _bound(drawn, runners[one.runner], at.point, at.point.compute_us).least_ns
        for at in computing
        for one in at.measured
        if one.estimate and one.runner in runners
    )
    return min([1.0, *shares])


def upper_ns(drawn: WorkMap, runner: str, point: Point) -> float:
    """Return a time that a model need not exceed, from what was measured; infinity if too little was.

    It could do the work in batches of a measured size whose tasks do as much or more, or first compute all, then wait.
    """
    batches = [
        math.ceil(point.tasks / at.point.tasks) * one.estimate.value
        for at in drawn.points
        if at.point.kind == point.kind and at.point.compute_us >= point.compute_us and at.point.wait_us >= point.wait_us
        if (one := at.of(runner)) and one.estimate
    ]
    if point.compute_us and point.wait_us:
        parts = (point._replace(wait_us=0), point._replace(compute_us=0))
        batches.append(sum(upper_ns(drawn, runner, part) for part in parts))
    return min(batches, default=math.inf)


def bounds_left(
    drawn: WorkMap, point: Point, runners: Mapping[str, Runner]
) -> tuple[dict[str, Bound], dict[str, Bound]]:
    """Return the models that may be fastest at *point* by arithmetic, lowest bound first, and those that can't be.

    A model is excluded if its bound exceeds the time that another one need not exceed.
    """
    bounds = {name: bound_of(drawn, runners[name], point) for name in runners if name in drawn.models}
    enough_ns = min((upper_ns(drawn, name, point) for name in bounds), default=math.inf)
    ordered = dict(sorted(bounds.items(), key=lambda each: each[1].least_ns))
    left = [name for name, bound in ordered.items() if bound.least_ns <= enough_ns] or [*ordered][:1]
    return {name: ordered[name] for name in left}, {name: ordered[name] for name in ordered if name not in left}


def bracket(drawn: WorkMap, point: Point) -> tuple[list[MapPoint], list[MapPoint]]:
    """Return the nearest measured points of its kind with no more, and with no less, of anything than *point*."""
    alike = [at for at in drawn.points if at.point.kind == point.kind and at.point != point and at.measured]
    less = [at for at in alike if _is_within(at.point, point)]
    more = [at for at in alike if _is_within(point, at.point)]
    lower = [at for at in less if not any(at is not other and _is_within(at.point, other.point) for other in less)]
    upper = [at for at in more if not any(at is not other and _is_within(other.point, at.point) for other in more)]
    return _nearest(lower, point), _nearest(upper, point)


def _nearest(points: Sequence[MapPoint], point: Point) -> list[MapPoint]:
    """Return the first few by how many steps of ten they are away."""

    def steps(at: MapPoint) -> float:
        return sum(abs(math.log10(max(a, STEP) / max(b, STEP))) for a, b in zip(at.point[1:], point[1:], strict=True))

    return sorted(points, key=steps)[:MOST_NEAR]


def _is_within(one: Point, other: Point) -> bool:
    """True if *one* has no more tasks, computing and waiting than *other*."""
    return all(mine <= theirs for mine, theirs in zip(one[1:], other[1:], strict=True))
