"""Every runner of workers, in each kind of case: as many answer as asked, and what they inherit is noticed."""

import pytest
from apart import Parameters, take_rightly

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.contract import Surroundings
from runners.worker_start import scenario, thread
from runners.worker_start import workload as worker_start

SCENARIO = catalogue.find()["worker_start"]
WORKERS = [name for name in SCENARIO.runners if not name.startswith("pool")]
IMPORTS_AGAIN = {"interpreter", "process_forkserver_running", "process_spawn"}


@pytest.mark.parametrize("runner", WORKERS)
def test_two_workers_answer_and_import_what_they_do_not_inherit(runner: str) -> None:
    tiny: Parameters = {"size": "tiny", "kind": "worker", "workers": 2, "modules": 1, "calls": 3}
    values, observed = take_rightly(SCENARIO, runner, tiny)
    assert values["workers_count"] == observed.peak_in_flight == observed.threads == 2
    assert observed.processes == (2 if runner.startswith("process") else 1)
    if runner != "process_forkserver":  # whether its server has the modules is up to the main module
        assert values["importing_workers_count"] == (2 if runner in IMPORTS_AGAIN else 0)
    assert min(values[name] for name in ("start_up_ns", "call_median_ns", "ending_ns")) > 0


@pytest.mark.parametrize("runner", ["pool_default", "pool_fork"])
@pytest.mark.parametrize("lines", [0, 5])
def test_pool_gets_its_data(runner: str, lines: int) -> None:
    tiny: Parameters = {"size": "tiny", "kind": "pool", "workers": 2, "jobs": 6, "lines": lines, "chunk": 1}
    values, observed = take_rightly(SCENARIO, runner, tiny)
    assert values["jobs_count"] == 6
    assert observed.asked_at_once == 2


def test_wrong_and_missing_answers_are_caught() -> None:
    job = worker_start.prepare({"workers": 2, "calls": 3}, Surroundings(2, 1))
    assert worker_start.judge(job, None).wrong == "no worker was started"
    thread.run(job)
    assert worker_start.judge(job, None).wrong == ""
    assert job.employed is not None
    right = job.employed
    job.employed = right._replace(first=[right.first[0], ((2, *right.first[0][0][1:]), right.first[1][1])])
    assert worker_start.judge(job, None).wrong == "2 workers were to answer, 1 did"
    job.employed = right._replace(called=right.called[::-1])
    assert worker_start.judge(job, None).wrong == "wrong answers"
    pool = worker_start.prepare({"workers": 2, "jobs": 2, "lines": 3}, Surroundings(2, 1))
    assert "2 jobs" in worker_start.judge(pool, [(1, 0, 1, 2, 3, 4)]).wrong


def test_unknown_or_no_memory_has_no_value() -> None:
    assert scenario.bytes_per_worker({"before_bytes": None, "working_bytes": 5, "workers_count": 1}) is None
    assert scenario.bytes_per_worker({"before_bytes": 5, "working_bytes": 5, "workers_count": 1}) is None
    assert scenario.bytes_per_worker({"before_bytes": 5, "working_bytes": 9, "workers_count": 2}) == 2
