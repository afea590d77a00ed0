"""Bounds for models at points that were not measured."""

import pytest
from map_factory import CASES, drawn, map_record

from generate.data.work_map import Point, WorkMap, bounds_left, bracket, lower_bound, upper_ns, workers
from runners.harness.catalogue import scenarios

RUNNERS = scenarios.find()["crossover"].runners
MS = 1e6


@pytest.fixture(scope="module")
def known() -> WorkMap:
    return drawn(map_record())


@pytest.mark.parametrize(
    ("runner", "ms"),
    [
        ("sync_loop", 1_000 * 11),
        ("thread_pool", 167 * 11),
        ("process_pool", 500 * 11),
        ("threads", 1_010),
        ("asyncio_tasks", 1_010),
        ("asyncio_processes", 510),
    ],
)
def test_a_bound_follows_from_workers_and_cores(known: WorkMap, runner: str, ms: float) -> None:
    bound = lower_bound(known, RUNNERS[runner], Point("timers", 1_000, 1_000, 10_000))
    assert bound.least_ns == pytest.approx(ms * MS, rel=0.01)


def test_bounds_enclose_what_was_measured(known: WorkMap) -> None:
    for at in known.points:
        for each in at.measured:
            assert each.estimate
            assert lower_bound(known, RUNNERS[each.runner], at.point).least_ns <= each.estimate.value * 1.000001
    in_batches = upper_ns(known, "asyncio_tasks", Point("timers", 10_000, 1_000, 0))
    assert in_batches == pytest.approx(10 * upper_ns(known, "asyncio_tasks", Point("timers", 1_000, 1_000, 0)))
    assert workers(RUNNERS["thread_pool"], cores=64) == 32


def test_arithmetic_excludes_pools_with_too_few_workers(known: WorkMap) -> None:
    left, excluded = bounds_left(known, Point("timers", 1_000, 1_000, 100_000), RUNNERS)
    assert {"sync_loop", "process_pool"} <= {*excluded}
    assert {"asyncio_tasks", "greenlets", "threads"} == {*left}
    assert excluded["process_pool"].is_by_turns


def test_the_nearest_points_have_no_more_or_no_less_of_anything(known: WorkMap) -> None:
    less, more = bracket(known, Point("timers", 1_000, 1_000, 100_000))
    assert [at.point[1:] for at in less] == [(1_000, 100, 100_000), (10, 1_000, 100_000), (1_000, 1_000, 0)]
    assert more == []
    _, more = bracket(drawn(map_record(cases=CASES[1:])), Point("timers", 10, 100, 1_000))
    assert [at.point[1:] for at in more] == [(1_000, 100, 1_000)]
