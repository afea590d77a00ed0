"""Who is at the front of each point of the map."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
import pytest
from factory import Plan, make
from frames import file_of

from generate.analysis.gated import apply_gate
from generate.analysis.work_map import AS_WITHOUT_COMPUTING, COMPUTES_IN, MapPoint, Point, Standing, WorkMap, work_map
from generate.charts.work_map import duration, grid_of, picture, words
from generate.statistics.intervals import Comparison
from runners.harness.catalogue import families, scenarios
from runners.harness.record.model import Samples

if TYPE_CHECKING:
    from collections.abc import Mapping

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
    "threads": {
        "elapsed_ns": 1.3,
        "memory_bytes": 2_000_000,
        "cpu_us": 7_000,
        "median_us": 90_000,
        "worst_us": 130_000,
    },
    "sync_loop": {"bound_ns": 10_000_000_000},
}


def measured(rounds: int = 12) -> Record:
    """Make a record whose models take at one point what TIMES says, each round a little different, all alike."""
    record = make({"crossover": CROSSOVER}, Plan(rounds=rounds))
    return msgspec.structs.replace(record, series=[_at_a_point(series) for series in record.series])


def _at_a_point(series: Series) -> Series:
    columns = TIMES.get(series.runner, {})
    wobble = 0.004 if series.role == "control" else 0.0
    rounds = series.samples.round

    def value(name: str, amount: float, number: int) -> int:
        if name != "elapsed_ns":
            return int(amount)
        return round(FAST_NS * amount * (1 + 0.01 * (number % 3)) * (1 + wobble * (1 - 2 * (number % 2))))

    values: dict[str, list[Value]] = {
        f"{HERE.column}_{name}": [value(name, amount, number) for number in rounds] for name, amount in columns.items()
    }
    samples = msgspec.structs.replace(series.samples, values=values)
    assert isinstance(samples, Samples)
    return msgspec.structs.replace(series, samples=samples)


def made(rounds: int = 12) -> WorkMap:
    (gated,) = apply_gate([file_of(measured(rounds))], {"crossover": CROSSOVER})
    return work_map(gated)


def test_the_models_within_the_noise_of_the_fastest_are_at_the_front_and_no_others() -> None:
    point = made().at(HERE)
    assert point is not None
    assert [standing.runner for standing in point.front] == ["asyncio_tasks", "greenlets"]
    threads = point.of("threads")
    assert threads is not None
    assert threads.behind is not None
    assert threads.behind.ratio == pytest.approx(1.3)
    assert threads.costs == (7_000, 2_000_000, 130_000, 2_000_000, 2_000_000)


def test_a_model_that_lost_by_arithmetic_stands_behind_those_measured_with_what_it_takes_at_least() -> None:
    point = made().at(HERE)
    assert point is not None
    assert [standing.runner for standing in point.standings][:4] == [
        "asyncio_tasks",
        "greenlets",
        "threads",
        "sync_loop",
    ]
    lost = point.standings[3]
    assert (lost.elapsed_ns, lost.bound_ns, lost.at_front) == (None, 10_000_000_000, False)


def test_a_model_that_was_not_measured_has_a_reason() -> None:
    point = made().at(HERE)
    assert point is not None
    trio = point.of("trio_nursery")
    assert trio is not None
    assert (trio.elapsed_ns, trio.bound_ns, trio.reason) == (None, None, "not measured here")


@pytest.mark.parametrize("rounds", [1, 2])
def test_one_or_two_rounds_put_nobody_behind_and_decide_nothing(rounds: int) -> None:
    found = made(rounds)
    point = found.at(HERE)
    assert point is not None
    assert {standing.runner for standing in point.front} == {"asyncio_tasks", "greenlets", "threads"}
    assert point.is_undecided
    few = f"{rounds} round{'s' * (rounds > 1)}, where 3 is the least that decides anything"
    assert found.why_nothing == found.why_undecided == few


@pytest.mark.parametrize(("rounds", "is_undecided"), [(3, True), (9, False)])
def test_few_rounds_put_behind_what_is_plainly_slower_and_leave_the_rest_undecided(
    rounds: int, *, is_undecided: bool
) -> None:
    point = made(rounds).at(HERE)
    assert point is not None
    front = [(one.runner, one.is_undecided) for one in point.front]
    assert front == [("asyncio_tasks", False), ("greenlets", is_undecided)]
    assert not point.is_undecided


@pytest.mark.parametrize(("rounds", "why"), [(3, "3 rounds"), (8, "8 rounds"), (9, "")])
def test_a_map_of_few_rounds_says_how_many_it_has(rounds: int, why: str) -> None:
    assert (made(rounds).why_nothing, made(rounds).why_undecided) == ("", why)


def test_a_busy_machine_decides_nothing_however_many_rounds_there_are() -> None:
    record = measured()
    busy = msgspec.structs.replace(record, machine=msgspec.structs.replace(record.machine, load_before=2.5))
    (gated,) = apply_gate([file_of(busy)], {"crossover": CROSSOVER})
    point = work_map(gated).at(HERE)
    assert point is not None
    assert len(point.front) == 3
    assert point.is_undecided
    assert work_map(gated).why_nothing.startswith("the machine was busy: load 2.5")


def test_a_cell_of_which_nothing_is_decided_has_no_colour_and_says_so() -> None:
    point = made(rounds=1).points[0]
    svg = picture(grid_of([point]), FAMILIES, "map")
    assert "map__cell--undecided" in svg
    assert "map__cell--tie" not in svg
    assert ">not decided</text>" in svg
    assert words(point, FAMILIES).endswith("; not distinguished from it: greenlets (gevent), threads (threads)")


def test_of_several_further_families_a_cell_has_room_for_their_number_alone() -> None:
    point = made(rounds=3).points[0]
    among = [replace(each, at_front=each.elapsed_ns is not None) for each in point.standings]
    assert ">or 2 others</text>" in picture(grid_of([replace(point, standings=among)]), FAMILIES, "map")


def test_a_point_that_nobody_asked_for_is_not_there() -> None:
    assert made().at(HERE._replace(tasks=7)) is None


def test_the_ideal_shares_computing_out() -> None:
    assert HERE.ideal_ns(2) == 100_000_000
    assert HERE._replace(compute_us=10_000).ideal_ns(2) == 500_000_000


def test_a_cell_names_the_fastest_and_marks_a_tie() -> None:
    found = made()
    svg = picture(grid_of(found.points), FAMILIES, "map")
    assert svg.count("<g ") == svg.count("<rect ") == len(found.points) == 1
    assert "map__cell--tie" in svg
    assert ">asyncio</text>" in svg
    assert ">or gevent</text>" in svg
    assert words(found.points[0], FAMILIES) == (
        "computes 0, waits 100 ms: asyncio tasks (asyncio), 105\u00a0ms; within the noise of it: greenlets (gevent)"
    )


def test_a_cell_that_one_family_has_alone_says_no_more() -> None:
    point = made().points[0]
    alone = [replace(each, at_front=each is point.front[0]) for each in point.standings]
    svg = picture(grid_of([replace(point, standings=alone)]), FAMILIES, "map")
    cell = svg.partition("<g ")[2]
    assert ">asyncio</text>" in cell
    assert cell.count("<text ") == 2  # its family, and how long the fastest takes


def test_models_that_have_another_family_compute_are_models_and_families_that_there_are() -> None:
    runners = {*CROSSOVER.runners, *scenarios.find()["everyday"].runners}
    assert COMPUTES_IN.keys() <= runners
    assert {*COMPUTES_IN.values()} <= {*families.FAMILIES}


@pytest.mark.parametrize(("compute_us", "family"), [(0, "asyncio"), (100, "processes")])
def test_asyncio_with_a_pool_of_processes_counts_as_processes_where_tasks_compute(compute_us: int, family: str) -> None:
    of_models = {"asyncio_processes": "asyncio", "process_pool": "processes"}
    front = [Standing(runner, 1e6, at_front=True) for runner in of_models]
    point = MapPoint(HERE._replace(compute_us=compute_us), "1,000 tasks", front)
    assert point.front_families(of_models) == [*dict.fromkeys((family, "processes"))]
    assert f"asyncio processes ({family})" in words(point, of_models)


@pytest.mark.parametrize(("compute_us", "named"), [(0, 1), (100, 2)])
def test_a_model_that_hands_over_computing_is_named_beside_the_fastest_only_where_something_is_computed(
    compute_us: int, named: int
) -> None:
    fastest = Standing("asyncio_tasks", 1e6, at_front=True)
    behind = Comparison(1.01, 1.0, 1.02, 0.96, 9, decided=True)
    second = Standing("asyncio_processes", 1.01e6, behind=behind, at_front=True)
    point = MapPoint(HERE._replace(compute_us=compute_us), "1,000 tasks", [fastest, second])
    assert len(point.named_front) == named
    assert len(point.front) == 2
    assert ("asyncio processes" in words(point, {"asyncio_tasks": "asyncio", "asyncio_processes": "asyncio"})) == (
        named > 1
    )
    assert {*AS_WITHOUT_COMPUTING, *AS_WITHOUT_COMPUTING.values()} <= {*FAMILIES}


@pytest.mark.parametrize(("us", "text"), [(0, "0"), (100, "0.1 ms"), (1_000, "1 ms"), (100_000, "100 ms")])
def test_durations_that_were_asked_for_have_no_digits_that_say_nothing(us: int, text: str) -> None:
    assert duration(us) == text
