"""Rules of thumb, judged over the map."""

from __future__ import annotations

import dataclasses

import pytest
from test_work_map import HERE, made

from generate.analysis.map_rules import OWN, RULES, Rule, Setting, score

GIL = Setting(2, has_gil=True)


def always(runner: str | None) -> Rule:
    return Rule("planted", "", (), lambda _point, _setting: runner)


@pytest.mark.parametrize(
    ("runner", "share"),
    [("asyncio_tasks", 1), ("greenlets", 1), ("threads", 0), ("sync_loop", 0)],
)
def test_a_rule_is_right_where_its_model_is_at_most_a_tenth_behind(runner: str, share: float) -> None:
    scored = score(made(), always(runner))
    assert scored is not None
    assert (scored.share.median, scored.share.low, scored.share.high) == (share, share, share)
    assert (scored.points, scored.of_points) == (1, 1)
    assert list(scored.wrong) == ([] if share else [HERE])


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.81, 0.9, "holds"),
        (0.8, 0.8, "holds"),
        (0.8, 0.9, "too close to call"),
        (0.79, 0.9, "too close to call"),
        (0.7, 0.8, "too close to call"),
        (0.7, 0.79, "does not hold"),
    ],
)
def test_a_rule_holds_where_its_whole_interval_lies_above_four_of_five_points(
    low: float, high: float, verdict: str
) -> None:
    scored = score(made(), always("asyncio_tasks"))
    assert scored is not None
    share = dataclasses.replace(scored.share, low=low, high=high)
    assert scored._replace(share=share).verdict == verdict


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(0.91, 0.95, "holds"), (0.9, 0.95, "too close to call"), (0.81, 0.89, "does not hold")],
)
def test_our_own_rule_holds_by_a_bound_of_its_own_of_nine_in_ten_points(low: float, high: float, verdict: str) -> None:
    scored = score(made(), OWN._replace(choose=lambda _point, _setting: "asyncio_tasks"))
    assert scored is not None
    assert scored._replace(share=dataclasses.replace(scored.share, low=low, high=high)).verdict == verdict


def test_a_rule_that_names_nothing_has_no_score() -> None:
    assert score(made(), always(None)) is None


def test_a_rule_is_not_wrong_because_a_model_that_it_names_could_not_be_measured() -> None:
    assert score(made(), always("trio_nursery")) is None
    assert score(made(), OWN) is None  # it names uvloop there


@pytest.mark.parametrize(
    ("tasks", "compute_us", "wait_us", "runner"),
    [
        (100, 10_000, 1_000, "process_pool"),
        (100, 1_000, 10_000, "threads"),
        (1_000, 1_000, 100_000, "asyncio_tasks"),
        (1_000, 100, 10_000, None),
        (10, 100, 100_000, None),
    ],
)
def test_the_rule_of_the_source_speaks_of_computing_few_short_waits_and_many_long_ones(
    tasks: int, compute_us: int, wait_us: int, runner: str | None
) -> None:
    point = HERE._replace(tasks=tasks, compute_us=compute_us, wait_us=wait_us)
    (of_the_source,) = (rule for rule in RULES if rule.name == "S5.7")
    assert of_the_source.choose(point, GIL) == runner


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
def test_our_own_rule_asks_how_much_is_computed_and_whether_there_is_a_gil(
    tasks: int, compute_us: int, wait_us: int, with_gil: str, without: str
) -> None:
    point = HERE._replace(tasks=tasks, compute_us=compute_us, wait_us=wait_us)
    assert OWN.choose(point, GIL) == with_gil
    assert OWN.choose(point, Setting(2, has_gil=False)) == without
    assert {with_gil, without} <= {*OWN.models}


def test_a_rule_is_tested_on_the_maps_that_it_was_not_made_from() -> None:
    scored = [score(made(), always("asyncio_tasks")._replace(derived_from=frozenset(of))) for of in ((), ("3.13",))]
    assert [each.is_test for each in scored if each] == [True, False]
