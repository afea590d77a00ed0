"""Every runner on a few items: all arrive in order, and the queue is as deep as the code makes it."""

import pytest
from apart import Parameters, take_rightly

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.contract import Surroundings
from runners.queue_depth import workload as queue_depth

SCENARIO = catalogue.find()["queue_depth"]
TINY: Parameters = {"size": "tiny", "items": 1000}
DEEPEST = {"unbounded": 999, "producer_yields": 0, "consumer_yields_twice": 499, "bounded_at_one": 0}


def job_with(numbers: list[int]) -> queue_depth.Job:
    job = queue_depth.prepare({"items": 3}, Surroundings(2, 1))
    for number in numbers:
        job.consume(job.produce(number), depth=number * 10)
    return job


@pytest.mark.parametrize(("runner", "deepest"), DEEPEST.items())
def test_items_arrive_in_order_at_the_explained_depth(runner: str, deepest: int) -> None:
    values, _ = take_rightly(SCENARIO, runner, TINY)
    assert values["items_count"] == 1000
    assert values["depth_max_count"] == deepest
    assert values["depth_min_count"] == 0
    assert (len(values["depth_trace_count"]), len(values["latency_trace_us"])) == (200, 40)
    assert values["item_latency_max_ns"] <= values["item_latency_total_ns"]


def test_lost_or_swapped_item_is_wrong() -> None:
    assert queue_depth.judge(job_with([0, 1, 2]), None).wrong == ""
    assert queue_depth.judge(job_with([0, 2]), None).wrong == "3 items are to arrive in order; 2 arrived"
    assert queue_depth.judge(job_with([0, 2, 1]), None).wrong.endswith("3 arrived, not in order")
    assert queue_depth.judge(job_with([]), None).values["depth_max_count"] is None


def test_trace_has_the_first_and_last_point() -> None:
    job = queue_depth.prepare({"items": 1001}, Surroundings(2, 1))
    for number in range(1001):
        job.consume(job.produce(number), depth=number)
    trace = queue_depth.judge(job, None).values["depth_trace_count"]
    assert isinstance(trace, list)
    assert (len(trace), trace[0], trace[-1]) == (200, 0, 1000)
    assert queue_depth.judge(job_with([0, 1, 2]), None).values["depth_trace_count"] == [0, 10, 20]
