"""What it costs to use one model for all work: over the points of a map, how far it is behind the fastest. Pure.

Only points whose tasks compute in Python and wait for a timer count, and not the one at which they do neither.
"""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, NamedTuple

from generate.analysis.work_map import MAIN_KIND

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generate.analysis.work_map import MapPoint, Point, WorkMap

CLOSE = 1.10
"""Times the fastest: up to here a model is as good as the best for most work."""


class Behind(NamedTuple):
    """How far one model is behind the fastest at one point."""

    point: Point
    ratio: float
    """Its time over the fastest model's."""
    at_front: bool
    is_bound: bool
    """Whether the model was not measured there, since by arithmetic it takes so long at least."""


class OneModel(NamedTuple):
    """One model over all points of a map."""

    runner: str
    points: int
    """At which it was measured, or beaten by arithmetic."""
    at_front: int
    """Where it is the fastest, or within the noise of it."""
    close: int
    """Where it is at the front, or takes at most CLOSE times as long as the fastest."""
    median: float
    """Over the points, how many times as long as the fastest it takes."""
    worst: Behind


def judged_points(drawn: WorkMap) -> list[MapPoint]:
    """Return the points of a map over which models and rules are judged."""
    cores = drawn.gated.file.record.machine.usable_cores
    return [at for at in drawn.points if at.front and at.point.kind == MAIN_KIND and at.point.ideal_ns(cores)]


def one_model_each(drawn: WorkMap) -> list[OneModel]:
    """Return every model over all points, the one that is close to the fastest at most of them first."""
    points = judged_points(drawn)
    runners = sorted({standing.runner for at in points for standing in at.standings})
    found = [_over_all(runner, behind) for runner in runners if (behind := [*_behind(points, runner)])]
    return sorted(found, key=lambda each: (-each.close / each.points, each.median, each.runner))


def _over_all(runner: str, behind: Sequence[Behind]) -> OneModel:
    return OneModel(
        runner,
        points=len(behind),
        at_front=sum(each.at_front for each in behind),
        close=sum(each.at_front or each.ratio <= CLOSE for each in behind),
        median=statistics.median(each.ratio for each in behind),
        worst=max(behind, key=lambda each: each.ratio),
    )


def _behind(points: Sequence[MapPoint], runner: str) -> Iterator[Behind]:
    """Give how far a model is behind at each point at which that is known."""
    for at in points:
        own, least_ns = at.of(runner), at.front[0].elapsed_ns
        taken_ns = (own.elapsed_ns or own.bound_ns) if own else None
        if own and taken_ns and least_ns:
            yield Behind(at.point, taken_ns / least_ns, own.at_front, own.elapsed_ns is None)
