"""Which models are fastest at each point of the map."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
import pytest
from factory import Plan, make_record
from map_factory import drawn

from generate.charts.grids import map_picture
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


@pytest.mark.parametrize(
    ("runner", "square"),
    [
        ("asyncio_tasks", '<td class="heat-1"><b>1</b>'),
        ("greenlets", '<td class="heat-1"><b>1.0</b>'),
        ("trio_nursery", '<td class="heat-0">'),
        ("threads", '<td class="heat-2"><b>1.3</b>'),
        ("sync_loop", '<td class="heat-6"><b>≥ 95</b>'),
        ("thread_pool", "<td><b>no value</b>"),
    ],
)
def test_a_square_has_what_a_model_costs(runner: str, square: str) -> None:
    assert square in map_picture(made().points, runner, runner)
    assert f'<a href="#{HERE.key}">' in map_picture(made().points, runner, runner, is_linked=True)


def standing(runner: str, state: State) -> Standing:
    return Standing(SeriesKey("crossover", CASE, runner, "subject"), state=state)


@pytest.mark.parametrize("compute_us", [0, 100])
def test_asyncio_with_processes_is_asyncio_without_computing(compute_us: int) -> None:
    best = [standing("asyncio_processes", "fastest"), standing("asyncio_tasks", "as fast")]
    at = MapPoint(HERE._replace(compute_us=compute_us), CASE, best)
    assert at.best == (["asyncio_processes", "asyncio_tasks"] if compute_us else ["asyncio_tasks"])
