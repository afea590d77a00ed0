"""Servers under a load at a fixed rate: their limits, wrong answers, and measured columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from apart import serving

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.contract import Surroundings
from runners.harness.http_load import generator
from runners.open_loop import workload as open_loop

if TYPE_CHECKING:
    from runners.harness.contract import Parameters, Value

SCENARIO = catalogue.find()["open_loop"]
TINY: Parameters = {"size": "tiny", "wait_s": 0.02, "turns": 10, "workers": 2, "at_once": 8, "requests": 8}
TINY = {**TINY, "timeout_s": 2.0}
LONGER: Parameters = {**TINY, "wait_s": 0.1}
"""Much longer than eight requests take on a slow machine."""
ATTEMPTS = 10
"""A busy machine can make a server late, never early."""


@pytest.mark.parametrize("runner", SCENARIO.runners.values(), ids=SCENARIO.runners.keys())
def test_server_works_within_its_limit(runner: catalogue.Runner) -> None:
    job = open_loop.prepare(LONGER, Surroundings(2, 1))
    limit = open_loop.at_once(job)[str(runner.at_once)]
    least_ns = job.wait_s * 1e9 * job.requests / limit
    with serving(SCENARIO, runner, LONGER) as port:
        generator.measure(port, generator.load_from({**LONGER, "requests": 1}))
        for _ in range(ATTEMPTS):
            measured = generator.measure(port, generator.load_from(LONGER))
            assert open_loop.judge(job, generator.columns(measured)).wrong == ""
            assert len(measured.answers) == 8
            assert measured.elapsed_ns >= least_ns * 0.9  # a loop may count in whole milliseconds
            if measured.elapsed_ns < 2 * least_ns:
                return
    pytest.fail(f"it took {measured.elapsed_ns / least_ns:.1f} times as long as {limit} requests at once do")


def test_open_loop_sends_at_its_rate() -> None:
    load = generator.load_from({**TINY, "requests": 30, "rate_per_s": 300})
    with serving(SCENARIO, SCENARIO.runners["aiohttp_awaiting"], TINY) as port:
        measured = generator.measure(port, load)
    columns = generator.columns(measured)
    assert (columns["completed_count"], columns["failed_count"]) == (30, 0)
    assert measured.elapsed_ns >= 29 / 300 * 1e9
    assert len(measured.schedule.late_ns) == 30
    assert open_loop.judge(open_loop.prepare({**TINY, "requests": 30}, Surroundings(2, 1)), columns).wrong == ""


@pytest.mark.parametrize(
    ("altered", "wrong"),
    [
        ({}, ""),
        ({"completed_count": 6, "failed_count": 2}, ""),
        ({"completed_count": 7}, "7 answered and 0 failed requests are not the 8 that were made"),
        ({"wrong_answer_count": 2}, "2 answers were not a 200 with an empty body"),
        ({"completed_count": 0, "failed_count": 8}, "no request was answered"),
        ({"latency_trace_us": [9_000]}, "an answer came after 9 ms, where each waits for 20 ms"),
        ({"latency_trace_us": None, "latency_steps_us": [3_000, 30_000]}, "an answer came after 3 ms, where each"),
        ({"latency_trace_us": None}, "an answer came after 0 ms, where each waits for 20 ms"),
    ],
)
def test_failures_are_data_and_wrong_answers_are_not(altered: dict[str, Value], wrong: str) -> None:
    columns: dict[str, Value] = {"completed_count": 8, "failed_count": 0, "latency_trace_us": [20_100, 20_200]}
    fault = open_loop.judge(open_loop.prepare(TINY, Surroundings(2, 1)), columns | altered).wrong
    assert fault.startswith(wrong)
    assert bool(fault) == bool(wrong)


def test_requests_compute_the_same_work() -> None:
    job = open_loop.prepare({**TINY, "turns": 3}, Surroundings(2, 1))
    assert job.compute() == ((1 * 31 + 0) * 31 + 1) * 31 + 2


def test_loads_stay_within_generator_and_file_limits() -> None:
    for case in SCENARIO.cases.values():
        load = generator.load_from(case.parameters)
        assert SCENARIO.runners[SCENARIO.baseline].takes_part(case)
        assert load.at_once <= 500  # far from the 1,024 files that many systems give
        assert load.requests > 200 or load.rate_per_s
        assert not load.rate_per_s or load.requests / load.rate_per_s + load.timeout_s <= 2
    rates = [case.parameters["rate_per_s"] for case in SCENARIO.cases.values() if "rate_per_s" in case.parameters]
    assert rates == [2000, 300, 1000]
