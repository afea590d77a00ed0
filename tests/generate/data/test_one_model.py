"""One model for all work: how far it is behind, over all points of a map."""

from __future__ import annotations

import pytest
from map_factory import drawn as map_of
from map_factory import map_record

from generate.data.map_rules import OneModel, judged_points, one_model_each
from generate.data.work_map import Point, WorkMap


@pytest.fixture(scope="module")
def drawn() -> WorkMap:
    return map_of(map_record())


@pytest.fixture(scope="module")
def models(drawn: WorkMap) -> dict[str, OneModel]:
    return {each.runner: each for each in one_model_each(drawn)}


def test_points_at_which_tasks_do_nothing_do_not_count(drawn: WorkMap) -> None:
    places = {(at.point.compute_us, at.point.wait_us) for at in judged_points(drawn)}
    assert (0, 0) not in places
    assert len(places) == 15


def test_models_within_a_tenth_are_as_fast_as_the_best(models: dict[str, OneModel]) -> None:
    asyncio, greenlets = models["asyncio_tasks"], models["greenlets"]
    assert asyncio.points == greenlets.points
    assert 0 < greenlets.best == asyncio.best < asyncio.points
    assert asyncio.median == pytest.approx(1, abs=0.2)


def test_a_model_beaten_by_arithmetic_counts_as_behind(models: dict[str, OneModel]) -> None:
    worst = models["sync_loop"].worst
    assert worst.is_bound
    assert worst.point == Point("timers", 1_000, 0, 100_000)
    assert worst.ratio == pytest.approx(1_000 * 100_000 / (1_000 * 20 + 100_000 + 300), rel=0.02)


def test_a_model_without_any_measurement_is_not_listed(models: dict[str, OneModel]) -> None:
    assert "trio_nursery" not in models


def test_the_model_that_is_best_most_often_is_first(drawn: WorkMap) -> None:
    shares = [each.best / each.points for each in one_model_each(drawn)]
    assert shares == sorted(shares, reverse=True)
