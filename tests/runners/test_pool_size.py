"""Pools of a size: what counts as their time, and answers that are wrong."""

import pytest
from apart import Parameters, take_rightly

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.contract import Surroundings, default_executor_threads
from runners.pool_size import workload as pool_size

SCENARIO = catalogue.find()["pool_size"]
TINY: Parameters = {"size": "tiny", "workers": 3, "items": 12, "turns": 20, "wait_s": 0.01}


@pytest.mark.parametrize("runner", SCENARIO.runners)
def test_all_workers_of_a_pool_work(runner: str) -> None:
    values, observed = take_rightly(SCENARIO, runner, TINY)
    assert values["workers_used_count"] == observed.peak_in_flight == 3
    assert 36_000_000 < values["items_ns"] < values["elapsed_ns"]


def test_wrong_answers_are_found() -> None:
    job = pool_size.prepare({**TINY, "workers": pool_size.DEFAULT}, Surroundings(2, 1))
    assert pool_size.at_once(job) == {"workers": min(default_executor_threads(), 12)}
    right = [job.work(item) for item in job.items]
    assert pool_size.judge(job, right).wrong == ""
    assert pool_size.judge(job, right[1:]).wrong == "12 items are to be done, each once; 11 were answered"
    assert "item 0 gave 5" in pool_size.judge(job, [right[0]._replace(result=5), *right[1:]]).wrong
    early = right[0]._replace(span=right[0].span._replace(ended_ns=right[0].span.started_ns))
    assert "before its wait of 10 ms" in pool_size.judge(job, [early, *right[1:]]).wrong
