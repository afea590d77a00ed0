"""Every server on a tiny load: right answers within its limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from apart import serving

from runners.blocking_server import scenario
from runners.blocking_server import workload as blocking_server
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.contract import Surroundings
from runners.harness.http_load import generator

if TYPE_CHECKING:
    from runners.harness.contract import Parameters

SCENARIO = catalogue.find()["blocking_server"]
TINY: Parameters = {"size": "tiny", "factor": 0.2, "at_once": 3, "requests": 6, "timeout_s": 2.0}
WAIT_NS = 0.28e9 * 0.2
"""Much longer than six requests take on a slow machine."""
ATTEMPTS = 10
"""A busy machine can make a server late, never early."""


@pytest.mark.parametrize("runner", SCENARIO.runners.values(), ids=SCENARIO.runners.keys())
def test_server_answers_rightly_within_its_limit(runner: catalogue.Runner) -> None:
    job = blocking_server.prepare(TINY, Surroundings(2, 1))
    limit = blocking_server.at_once(job)[str(runner.at_once)]
    one_at_a_time_ns = WAIT_NS * job.requests
    with serving(SCENARIO, runner, TINY) as port:
        generator.measure(port, generator.load_from({**TINY, "requests": 1}))
        for _ in range(ATTEMPTS):
            measured = generator.measure(port, generator.load_from(TINY))
            assert blocking_server.judge(job, generator.columns(measured)).wrong == ""
            assert len(measured.answers) == 6
            assert measured.elapsed_ns >= one_at_a_time_ns / limit
            if limit == 1 or measured.elapsed_ns < 0.8 * one_at_a_time_ns:
                return
    pytest.fail(f"{job.requests} requests took {measured.elapsed_ns / WAIT_NS:.1f} times as long as one")


def test_ideal_is_the_limit_divided_by_the_wait() -> None:
    published = SCENARIO.cases["published delays"].parameters
    assert scenario.ideal_per_s({**published, "limit": 12}, 2, {}) == pytest.approx(12 / 0.28)
    assert scenario.ideal_per_s({**published, "limit": 1}, 2, {}) == pytest.approx(1 / 0.28)
    assert scenario.ideal_per_s(published, 2, {}) is None


@pytest.mark.parametrize(
    ("completed", "failed", "wrong_answers", "wrong"),
    [
        (6, 0, 0, ""),
        (4, 2, 0, ""),
        (5, 0, 0, "5 answered and 0 failed requests are not the 6 that were made"),
        (4, 2, 2, "2 answers were not a 200 with an empty body"),
        (0, 6, 0, "no request was answered"),
    ],
)
def test_failures_are_data_and_wrong_answers_are_not(
    completed: int, failed: int, wrong_answers: int, wrong: str
) -> None:
    job = blocking_server.prepare(TINY, Surroundings(2, 1))
    columns = {"completed_count": completed, "failed_count": failed, "wrong_answer_count": wrong_answers}
    assert blocking_server.judge(job, columns).wrong == wrong
