"""Rules of thumb, judged over the map."""

import pytest
from map_factory import drawn, map_record
from test_work_map import HERE, made

from generate.data.estimates import RunRounds, pool
from generate.data.map_rules import EXPECTED, OWN, Rule, Score, Setting, judged_points, one_model_each, score
from generate.data.work_map import Point

GIL = Setting(2, has_gil=True)


def always(runner: str | None) -> Rule:
    return Rule("planted", "", (), lambda _point, _setting: runner)


@pytest.mark.parametrize(
    ("runner", "share"),
    [("asyncio_tasks", 1), ("greenlets", 1), ("trio_nursery", 0.5), ("threads", 0), ("sync_loop", 0)],
)
def test_a_rule_is_right_within_a_tenth_of_the_fastest(runner: str, share: float) -> None:
    scored = score(made(), always(runner))
    assert scored is not None
    assert scored.share.value == share
    assert (scored.points, scored.map_points) == (1, 1)


def test_a_rule_without_a_measured_model_has_no_score() -> None:
    assert [score(made(), rule) for rule in (always(None), always("asyncio_uvloop"), OWN)] == [None] * 3


def test_the_rounds_of_all_runs_make_a_share() -> None:
    share = pool([RunRounds("a", [0.84, 0.87, 0.86, 0.85, 0.87, 0.86])], 0.0025, is_share=True)
    assert share is not None
    scored = Score(always("threads"), 1, 1, share, is_test=True)
    assert EXPECTED.low < share.low < share.value < share.high < 0.9
    assert scored.verdict == "holds"
    assert scored._replace(rule=OWN).verdict == "does not hold"


@pytest.mark.parametrize(
    ("tasks", "compute_us", "wait_us", "with_gil", "without"),
    [
        (1, 10_000, 100_000, "sync_loop", "sync_loop"),
        (10, 1_000, 0, "sync_loop", "sync_loop"),
        (100, 1_000, 0, "asyncio_uvloop", "thread_pool"),
        (100, 10_000, 0, "process_pool", "thread_pool"),
        (100, 10_000, 1_000, "asyncio_processes", "threads"),
        (100, 1_000, 1_000, "asyncio_uvloop", "threads"),
        (10_000, 100, 1_000, "asyncio_uvloop", "asyncio_uvloop"),
        (1_000, 0, 100_000, "asyncio_uvloop", "asyncio_uvloop"),
    ],
)
def test_our_own_rule_asks_for_computing_and_the_gil(
    tasks: int, compute_us: int, wait_us: int, with_gil: str, without: str
) -> None:
    point = HERE._replace(tasks=tasks, compute_us=compute_us, wait_us=wait_us)
    assert OWN.choose(point, GIL) == with_gil
    assert OWN.choose(point, Setting(2, has_gil=False)) == without
    assert {with_gil, without} <= {*OWN.models}


def test_a_rule_is_tested_on_maps_it_had_not_seen() -> None:
    scored = [score(made(), always("asyncio_tasks")._replace(derived_from=frozenset(of))) for of in ((), ("3.13",))]
    assert [each.is_test for each in scored if each] == [True, False]


def test_one_model_for_all_work_is_judged_over_the_map() -> None:
    complete_map = drawn(map_record())
    places = {(at.point.compute_us, at.point.wait_us) for at in judged_points(complete_map)}
    assert (0, 0) not in places
    every = one_model_each(complete_map)
    shares = [each.best / each.points for each in every]
    assert shares == sorted(shares, reverse=True)
    models = {each.runner: each for each in every}
    assert "trio_nursery" not in models  # nowhere measured
    asyncio, greenlets, worst = models["asyncio_tasks"], models["greenlets"], models["sync_loop"].worst
    assert (asyncio.points, asyncio.best) == (greenlets.points, greenlets.best)
    assert asyncio.median == pytest.approx(1, abs=0.2)
    assert (worst.is_bound, worst.point) == (True, Point("timers", 1_000, 0, 100_000))
    assert worst.ratio == pytest.approx(1_000 * 100_000 / (1_000 * 20 + 100_000 + 300), rel=0.02)
