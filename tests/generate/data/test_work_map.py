"""Which models are fastest at each point of the map."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
import pytest
from factory import Plan, make_record, with_facts
from map_factory import drawn

from generate.charts.grids import describe_hover, map_picture
from generate.data.work_map import MapPoint, Point, Standing, WorkMap
from runners.harness.catalogue import scenarios
from runners.harness.record.model import SeriesKey

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generate.data.work_map import State
    from runners.harness.contract import Value
    from runners.harness.record.model import Record, Series

FOUND = scenarios.find()["crossover"]
CASE = "100 tasks"
CROSSOVER = replace(FOUND, cases={CASE: FOUND.cases[CASE]._replace(full=True)})
FAMILIES = {name: runner.family for name, runner in CROSSOVER.runners.items()}
HERE = Point("timers", 100, 0, 100_000)
FAST_NS = 104_000_000
TIMES: Mapping[str, Mapping[str, float]] = {
    "asyncio_tasks": {"elapsed_ns": 1.0},
    "greenlets": {"elapsed_ns": 1.004},
    "trio_nursery": {"elapsed_ns": 1.1},
    "threads": {"elapsed_ns": 1.3},
    "sync_loop": {"bound_ns": 10_000_000_000},
}
"""By runner, its columns at one point; times over FAST_NS."""


def measured(rounds: int = 12) -> Record:
    record = make_record({"crossover": CROSSOVER}, Plan(rounds=rounds))
    return msgspec.structs.replace(record, series=[_at_a_point(series) for series in record.series])


def _at_a_point(series: Series) -> Series:
    rounds = series.samples.round
    values: dict[str, list[Value]] = {
        f"{HERE.column}_{name}": [
            int(amount) if name == "bound_ns" else round(FAST_NS * amount * (1 + 0.01 * (number % 3)))
            for number in rounds
        ]
        for name, amount in TIMES.get(series.runner, {}).items()
    }
    if "trio" in series.runner:  # noisier than the others
        values = {name: [value * (1 + 0.1 * (-1) ** n) for n, value in enumerate(of)] for name, of in values.items()}
    return msgspec.structs.replace(series, samples=msgspec.structs.replace(series.samples, values=values))


def made(rounds: int = 12) -> WorkMap:
    return drawn(measured(rounds))


def find_point(of: WorkMap) -> MapPoint:
    at = of.at(HERE)
    assert at is not None
    return at


def test_models_are_compared_by_their_own_pairs() -> None:
    at = find_point(made())
    states = {each.runner: each.state for each in at.measured}
    assert states == {
        "asyncio_tasks": "fastest",
        "greenlets": "as fast",
        "trio_nursery": "undecided",
        "threads": "behind",
    }
    assert (at.best, at.undecided) == (["asyncio_tasks", "greenlets"], ["trio_nursery"])
    lost, pool = at.standings[4], at.standing("thread_pool")
    assert (lost.runner, lost.estimate) == ("sync_loop", None)
    assert lost.bound_ns == pytest.approx(10_000_000_000)
    assert pool is not None
    assert (pool.estimate, pool.bound_ns, pool.reason) == (None, 0, "not measured here")
    threads = at.standing("threads")
    assert threads is not None
    assert threads.behind is not None
    assert threads.behind.value == pytest.approx(1.3)


def test_a_busy_machine_decides_nothing() -> None:
    busy = drawn(with_facts(measured(), machine={"load_before": 2.5}))
    assert find_point(busy).is_undecided
    assert busy.why_undecided.startswith("the machine was busy: load 2.5")


def test_a_single_round_decides_nothing() -> None:
    assert made(rounds=1).why_undecided == "one round: no range"
    at = find_point(made(rounds=1))
    assert at.is_undecided
    assert ' undecided"' in map_picture([at], FAMILIES)
    assert "<br>undecided" in map_picture([at], FAMILIES)


def test_a_square_names_the_fastest_and_marks_a_tie() -> None:
    picture = map_picture(made().points, FAMILIES)
    assert picture.count("<td class=") == picture.count(' tie"') == 1
    assert "<b>asyncio</b>" in picture
    assert "<br>or 2 others" in picture
    assert "asyncio tasks (asyncio), greenlets (gevent), " in describe_hover(made().points[0], FAMILIES)


def standing(runner: str, state: State) -> Standing:
    return Standing(SeriesKey("crossover", CASE, runner, "subject"), state=state)


@pytest.mark.parametrize(("compute_us", "family"), [(0, "asyncio"), (100, "processes")])
def test_asyncio_with_processes_counts_as_processes(compute_us: int, family: str) -> None:
    best = [standing("asyncio_processes", "fastest"), standing("asyncio_tasks", "as fast")]
    at = MapPoint(HERE._replace(compute_us=compute_us), CASE, best)
    assert at.families(FAMILIES) == [*dict.fromkeys((family, "asyncio"))]
    assert at.best == (["asyncio_processes", "asyncio_tasks"] if compute_us else ["asyncio_tasks"])
