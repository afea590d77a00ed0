"""Every server on a tiny load: right answers within its limit."""

from typing import Any

import pytest
from apart import Parameters, serving

from runners.blocking_server import scenario as blocking_scenario
from runners.blocking_server import workload as blocking_server
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.catalogue.scenarios import Runner
from runners.harness.contract import Surroundings
from runners.harness.http_load import generator
from runners.harness.record.model import Value
from runners.open_loop import workload as open_loop

SCENARIOS = catalogue.find()
BLOCKING: Parameters = {"size": "tiny", "factor": 0.2, "at_once": 3, "requests": 6, "timeout_s": 2.0}
OPEN: Parameters = {"size": "tiny", "wait_s": 0.02, "turns": 10, "workers": 2, "at_once": 8, "requests": 8}
OPEN = {**OPEN, "timeout_s": 2.0}
LOADS = {
    "blocking_server": (blocking_server, BLOCKING, 0.28 * 0.2),
    "open_loop": (open_loop, {**OPEN, "wait_s": 0.1}, 0.1),
}
"""By scenario: a load, and how many seconds each request waits. That is much longer than all take on a slow machine."""
RUNNERS = [runner for name in LOADS for runner in SCENARIOS[name].runners.values()]
ATTEMPTS = 10
"""A busy machine can make a server late, never early."""


@pytest.mark.parametrize("runner", RUNNERS, ids=lambda runner: f"{runner.scenario}-{runner.name}")
def test_server_answers_rightly_within_its_limit(runner: Runner) -> None:
    workload, parameters, wait_s = LOADS[runner.scenario]
    job: Any = workload.prepare(parameters, Surroundings(2, 1))
    limit = workload.at_once(job)[str(runner.at_once)]
    least_ns = wait_s * 1e9 * job.requests / limit
    with serving(SCENARIOS[runner.scenario], runner, parameters) as port:
        generator.measure(port, generator.load_from({**parameters, "requests": 1}))
        for _ in range(ATTEMPTS):
            measured = generator.measure(port, generator.load_from(parameters))
            assert workload.judge(job, generator.columns(measured)).wrong == ""
            assert len(measured.answers) == job.requests
            assert measured.elapsed_ns >= least_ns * 0.9  # a loop may count in whole milliseconds
            if limit == 1 or measured.elapsed_ns < min(2 * least_ns, 0.8 * limit * least_ns):
                return
    pytest.fail(f"it took {measured.elapsed_ns / least_ns:.1f} times as long as {limit} requests at once do")


def test_open_loop_sends_at_its_rate() -> None:
    load = generator.load_from({**OPEN, "requests": 30, "rate_per_s": 300})
    with serving(SCENARIOS["open_loop"], SCENARIOS["open_loop"].runners["aiohttp_awaiting"], OPEN) as port:
        measured = generator.measure(port, load)
    columns = generator.columns(measured)
    assert (columns["completed_count"], columns["failed_count"]) == (30, 0)
    assert measured.elapsed_ns >= 29 / 300 * 1e9
    assert len(measured.schedule.late_ns) == 30
    assert open_loop.judge(open_loop.prepare({**OPEN, "requests": 30}, Surroundings(2, 1)), columns).wrong == ""


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
    columns |= {"wrong_answer_count": 0, **altered}
    faults = [open_loop.judge(open_loop.prepare(OPEN, Surroundings(2, 1)), columns).wrong]
    if not {*altered} & {"latency_trace_us"}:  # the other scenario does not compare latencies
        blocking = blocking_server.prepare({**BLOCKING, "requests": 8}, Surroundings(2, 1))
        faults.append(blocking_server.judge(blocking, columns).wrong)
    assert all(fault.startswith(wrong) and bool(fault) == bool(wrong) for fault in faults)


def test_ideal_is_the_limit_divided_by_the_wait() -> None:
    published = SCENARIOS["blocking_server"].cases["published delays"].parameters
    assert blocking_scenario.ideal_per_s({**published, "limit": 12}, 2, {}) == pytest.approx(12 / 0.28)
    assert blocking_scenario.ideal_per_s({**published, "limit": 1}, 2, {}) == pytest.approx(1 / 0.28)
    assert blocking_scenario.ideal_per_s(published, 2, {}) is None
