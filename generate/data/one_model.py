"""What it costs to use one model for all work: how far it is behind the fastest, over the points of a map. Pure."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, NamedTuple

from generate.data.work_map import MAIN_KIND

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generate.data.work_map import MapPoint, Point, WorkMap


class Behind(NamedTuple):
    """How far one model is behind the fastest at one point."""

    point: Point
    ratio: float
    """Its time over the fastest model's."""
    is_best: bool
    is_bound: bool
    """True if it was not measured there, since by arithmetic it takes so long at least."""


class OneModel(NamedTuple):
    """One model over all points of a map."""

    runner: str
    points: int
    """At which it was measured, or beaten by arithmetic."""
    best: int
    """Points at which it is the fastest, or as fast."""
    median: float
    """Of its ratios to the fastest."""
    worst: Behind


def judged_points(drawn: WorkMap) -> list[MapPoint]:
    """Return the points that models and rules are judged by: those of the main kind whose tasks do something."""
    kind = (at for at in drawn.points if at.point.kind == MAIN_KIND)
    return [at for at in kind if at.measured and (at.point.compute_us or at.point.wait_us)]


def one_model_each(drawn: WorkMap) -> list[OneModel]:
    """Return every model, the one that is best at most of its points first."""
    points = judged_points(drawn)
    found = [_over_all(runner, behind) for runner in sorted(drawn.models) if (behind := [*_behind(points, runner)])]
    return sorted(found, key=lambda each: (-each.best / each.points, each.median, each.runner))


def _over_all(runner: str, behind: Sequence[Behind]) -> OneModel:
    return OneModel(
        runner,
        points=len(behind),
        best=sum(each.is_best for each in behind),
        median=statistics.median(each.ratio for each in behind),
        worst=max(behind, key=lambda each: each.ratio),
    )


def _behind(points: Sequence[MapPoint], runner: str) -> Iterator[Behind]:
    for at in points:
        own, fastest = at.of(runner), at.measured[0].estimate
        if own and own.behind:
            yield Behind(at.point, own.behind.value, own.is_best, is_bound=False)
        elif own and own.bound_ns and fastest:
            yield Behind(at.point, own.bound_ns / fastest.value, is_best=False, is_bound=True)
