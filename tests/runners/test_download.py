"""Every runner on two tiny tasks: the right pages, and as many in flight as its limit."""

import importlib
from collections.abc import Iterator

import pytest
from apart import Parameters, take_rightly

from runners.download import scenario
from runners.download import workload as download
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.contract import Surroundings, default_executor_threads
from runners.harness.http_load import origin_sites
from runners.harness.http_load.origin_sites import Sites

SCENARIO = catalogue.find()["download"]
TINY: Parameters = {"size": "tiny", "tasks": 2, "tail": 0, "seed": 2, "factor": 0.2}
ATTEMPTS = 10
"""A busy machine can keep two tasks from overlapping."""
FOUR = tuple(f"http://site{number}" for number in range(4))


@pytest.fixture(scope="module")
def origin() -> Iterator[Sites]:
    with origin_sites.sites(SCENARIO.sites_module) as running:
        yield running


@pytest.mark.parametrize("runner", SCENARIO.runners)
def test_runner_fetches_right_pages_within_its_limit(runner: str, origin: Sites) -> None:
    for _ in range(ATTEMPTS):
        values, observed = take_rightly(SCENARIO, runner, TINY, origin)
        assert values["pages_count"] == 8
        requests, peak = origin.counts()
        assert requests == [2, 2, 2, 2]
        assert observed.asked_at_once is not None
        assert 1 <= peak <= observed.asked_at_once
        if peak > 1 or observed.asked_at_once == 1:
            return
    pytest.fail("one page at a time")


def test_ideal_is_the_longest_chain_of_waits() -> None:
    fixed = SCENARIO.cases["published, fixed latencies"].parameters
    assert scenario.ideal_ns({**fixed, "limit": 1}, 2, {}) == pytest.approx(0.2e9)
    assert scenario.ideal_ns({**fixed, "limit": 10}, 2, {}) == pytest.approx(0.2e9)
    assert scenario.ideal_ns({**fixed, "limit": 40}, 2, {}) == pytest.approx(0.08e9)
    tail = SCENARIO.cases["published, heavy tail"].parameters
    tasks = download.pages_of(tail)
    assert len(tasks) == 10
    assert (
        scenario.ideal_ns({**tail, "limit": 10}, 2, {}) == max(sum(p.latency_s for p in task) for task in tasks) * 1e9
    )
    assert scenario.ideal_ns({**tail, "limit": 40}, 2, {}) == max(p.latency_s for task in tasks for p in task) * 1e9


def test_tasks_may_return_in_any_order_but_pages_not() -> None:
    job = download.prepare(TINY, Surroundings(2, 1, FOUR))
    first, second = ([*task] for task in job.bodies)
    assert download.judge(job, [second, first]).wrong == ""
    assert download.judge(job, [second, first[::-1]]).wrong == "2 tasks came back, 1 of 2 with the right pages"
    assert download.judge(job, [first, first]).wrong == "2 tasks came back, 1 of 2 with the right pages"
    assert download.judge(job, [first]).wrong == "1 tasks came back, 1 of 2 with the right pages"
    assert download.judge(job, []).values == {"pages_count": 0}


def test_limits_follow_the_number_of_tasks() -> None:
    job = download.prepare(SCENARIO.cases["published, fixed latencies"].parameters, Surroundings(2, 1, FOUR))
    threads = min(default_executor_threads(), 10)
    assert download.at_once(job) == {"one": 1, "tasks": 10, "pages": 40, "default executor": threads}
    assert job.tasks[0][1] == "http://site1/fixed/2/1.0/0"


@pytest.mark.parametrize("name", ["threads_plain_opener", "processes_plain_opener"])
def test_plain_opener_only_handles_http(name: str) -> None:
    runner = importlib.import_module(f"runners.download.{name}")
    assert [*runner.plain_opener().handle_open] == ["http"]
