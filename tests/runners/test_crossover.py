"""The points of the map, their measurements, and right answers."""

from collections.abc import Callable

import pytest
from apart import Parameters, take_rightly

from runners.crossover import workload
from runners.crossover._points import Place, places
from runners.crossover.workload import Beaten, Done, Job, Measured, Point
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.contract import Surroundings

SCENARIO = catalogue.find()["crossover"]
TINY: Parameters = {"size": "2 tasks", "kind": "timers", "tasks": 2, "tiny": 1, "turns_per_ms": 100}


def tiny(**others: int | str) -> Job:
    return workload.prepare({**TINY, **others}, Surroundings(2, 1))


def one_by_one(point: Point) -> list[Done]:
    return [point.task(number) for number in range(point.tasks)]


def measured(job: Job) -> Measured:
    (result,) = job.each_point(one_by_one)
    assert isinstance(result, Measured)
    return result


def test_points_have_ideals_and_over_half_a_second_none() -> None:
    assert len(list(places("timers", 1, 2))) == 16
    assert {place.compute_us for place in places("timers", 10_000, 2)} == {0, 100}
    assert {place.compute_us for place in places("timers", 10_000, 8)} == {0, 100}
    assert {place.compute_us for place in places("timers", 1_000, 2)} == {0, 100, 1_000}
    assert Place(1_000, 10_000).ideal_us(100, 2) == 50_000
    assert Place(1_000, 100_000).ideal_us(100, 2) == 101_000


def never(_: Point) -> list[Done]:
    pytest.fail("it was measured")


@pytest.mark.parametrize(("at_once", "bound_us"), [(1, 10_000_000), (4, 2_500_000)])
def test_model_that_loses_by_arithmetic_is_not_measured(at_once: int, bound_us: int) -> None:
    point = tiny().points[0]._replace(tasks=100, place=Place(0, 100_000))
    job = tiny()._replace(points=(point,))
    assert job.each_point(never, at_once) == [Beaten(point, bound_us)]
    values = workload.judge(job, [Beaten(point, bound_us)]).values
    assert values["c0_w100000_bound_ns"] == bound_us * 1_000
    assert "c0_w100000_elapsed_ns" not in values


def test_memory_is_measured_at_one_point_and_never_at_others() -> None:
    job = workload.prepare(SCENARIO.cases["100 tasks, memory"].parameters, Surroundings(2, 1))
    (point,) = job.points
    result = measured(job._replace(points=(point._replace(tasks=2),)))._replace(memory_bytes=1_000)
    done = result.done[0]._replace(computed=result.done[0].computed._replace(process_id=-1, worker_bytes=500))
    outcome = workload.judge(job._replace(points=(result.point,)), [result._replace(done=[done, result.done[1]])])
    assert (outcome.wrong, outcome.values["c0_w10000_fresh_memory_bytes"]) == ("", 1_500)


def test_point_has_columns_of_its_own() -> None:
    job = tiny()
    outcome = workload.judge(job, [measured(job)])
    assert outcome.wrong == ""
    assert {name.removeprefix("c100_w1000_") for name in outcome.values if name.startswith("c100_w1000_")} == {
        "elapsed_ns", "cpu_us", "median_us", "worst_us",
    }  # fmt: skip
    elapsed, worst = (outcome.values[f"c100_w1000_{name}"] for name in ("elapsed_ns", "worst_us"))
    assert 2_000 <= worst <= elapsed / 1_000  # type: ignore[operator]  # numbers


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (lambda done: done[:1], "2 tasks are to be done"),
        (lambda done: [done[0], done[0]], "2 tasks are to be done"),
        (lambda done: [done[0], done[1]._replace(computed=done[1].computed._replace(answer=-1))], "something else"),
    ],
)
def test_wrong_answer_is_found(spoil: Callable[[list[Done]], list[Done]], fault: str) -> None:
    job = tiny()
    result = measured(job)
    assert fault in workload.judge(job, [result._replace(done=spoil(result.done))]).wrong


def test_task_that_did_not_wait_is_wrong() -> None:
    job = tiny()
    result = measured(job)
    point = result.point._replace(place=Place(100, 10_000))
    job, result = job._replace(points=(point,)), result._replace(point=point)
    assert "did not wait" in workload.judge(job, [result]).wrong


def test_points_have_another_order_each_round() -> None:
    parameters = SCENARIO.cases["100 tasks"].parameters
    orders = {tuple(p.place for p in workload.prepare(parameters, Surroundings(2, seed)).points) for seed in range(5)}
    assert len(orders) == 5
    assert len({frozenset(order) for order in orders}) == 1


@pytest.mark.parametrize("name", sorted(SCENARIO.runners))
def test_only_the_loop_works_on_one_task_at_a_time(name: str) -> None:
    # so many that the first process of a pool is not through with them when the second has started
    parameters = {**SCENARIO.cases["10 tasks"].parameters, "tiny": 1, "tasks": 120, "turns_per_ms": 100}
    _, observed = take_rightly(SCENARIO, name, parameters)
    assert (observed.peak_in_flight == 1) == (name == "sync_loop")
