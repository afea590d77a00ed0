"""Every runner for a moment: as many threads as asked, and delays noted."""

import pytest
from apart import Parameters, take_rightly

from runners.gil_wait import workload as gil_wait
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.contract import Surroundings

SCENARIO = catalogue.find()["gil_wait"]
TINY: Parameters = {"size": "tiny", "exponent": 1000, "sleep_s": 0.002, "sleeps": 5, "watch_s": 1.0}
THREADS: dict[str, Parameters] = {
    "python_loop": {"computing": 2},
    "c_call": {"computing": 2},
    "waiting_threads": {"waiting": 3},
}


def job_after(parts: int, *, right: bool = True, **parameters: int) -> gil_wait.Job:
    job = gil_wait.prepare({**TINY, **parameters}, Surroundings(2, 1))
    for _ in range(parts):
        job.all_ready.reset()
        job.all_ready = type(job.all_ready)(1)
        with job.part() as results:
            results.append(right)
    job.sleep_and_wake()
    return job


@pytest.mark.parametrize("runner", SCENARIO.runners)
def test_as_many_threads_as_requested_take_part(runner: str) -> None:
    long_enough = {"sleeps": 25}  # a busy machine may start the second thread when the first has had ten milliseconds
    values, observed = take_rightly(SCENARIO, runner, {**TINY, **long_enough, **THREADS[runner]})
    assert observed.peak_in_flight == observed.asked_at_once is not None
    delays_us = values["wake_up_delay_trace_us"]
    assert 0 < len(delays_us) == values["wake_ups_count"] <= 80
    assert max(delays_us) == values["wake_up_worst_delay_ns"] // 1000
    assert sum(delays_us) == pytest.approx(values["wake_up_all_delays_ns"] / 1000, abs=len(delays_us))


def test_nobody_needs_to_compute() -> None:
    values, observed = take_rightly(SCENARIO, "python_loop", {**TINY, "computing": 0})
    assert observed.peak_in_flight is None
    assert len(values["wake_up_delay_trace_us"]) == 5


@pytest.mark.parametrize(
    ("job", "wrong"),
    [
        (job_after(2, computing=2), ""),
        (job_after(1, computing=2), "2 threads are to take part; 1 did"),
        (job_after(3, computing=2), "2 threads are to take part; 3 did"),
        (job_after(1, computing=1, right=False), "a thread computed nothing, or something wrong"),
        (job_after(2, waiting=2), "2 threads are to sleep 5 times each; in all they slept 5 times"),
    ],
)
def test_wrong_threads_and_powers_are_found(job: gil_wait.Job, wrong: str) -> None:
    assert gil_wait.judge(job, None).wrong == wrong
    assert job.is_power(7777**1000)
    assert not job.is_power(7777**999)
