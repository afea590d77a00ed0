"""The primes: right answers, and a timer that ticks when it should."""

import threading
import time

import pytest
from apart import Parameters, take_rightly
from planted import eventually

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.contract import Surroundings, span_since
from runners.primes import asyncio_naive, asyncio_threads, one_thread
from runners.primes import workload as primes

SCENARIO = catalogue.find()["primes"]
SMALL: Parameters = {"size": "tiny", "skip": 5, "timer": 0}
"""Without the five that take long."""


def answer_all(job: primes.Job) -> list[primes.Answer]:
    return [job.work(number) for number in job.numbers]


def small_job(**changes: int) -> primes.Job:
    return primes.prepare({**SMALL, **changes}, Surroundings(2, 1))


@pytest.mark.parametrize("name", ["asyncio_naive", "asyncio_threads", "asyncio_processes"])
def test_timer_ticks_during_the_work(name: str) -> None:
    assert take_rightly(SCENARIO, name, {**SMALL, "timer": 1})[0]["timer_worst_delay_ns"] is not None


def block(number: int) -> primes.Answer:
    started_ns = time.perf_counter_ns()
    time.sleep(0.03)
    return primes.Answer(number, number in primes.PRIMES, span_since(started_ns))


def test_blocking_coroutines_delay_the_timer() -> None:
    job = small_job(timer=1)._replace(work=block)
    asyncio_naive.run(job)
    assert max(job.timer_delays_ns) >= (3 * 0.03 - primes.TIMER_INTERVAL_S) * 1e9


def test_executor_lets_the_timer_tick() -> None:
    job = small_job(timer=1)

    def until_it_has_ticked(number: int) -> primes.Answer:
        eventually(lambda: len(job.timer_delays_ns) > 3)
        return job.work(number)

    asyncio_threads.run(job._replace(work=until_it_has_ticked, workers=1))
    assert len(job.timer_delays_ns) > 3


def test_processes_start_by_the_named_method() -> None:
    values, observed = take_rightly(SCENARIO, "process_pool_fork", SMALL)
    assert (observed.start_method, observed.pool_sizes) == ("fork", [2])
    assert values["cpu_us"] is not None


def test_one_thread_works_in_one_other_thread() -> None:
    job = small_job()
    threads = {answer.span.thread_id for answer in one_thread.run(job)}
    assert len(threads - {threading.get_ident()}) == 1


def test_timer_that_never_began_is_wrong() -> None:
    job = small_job(timer=1)
    assert primes.judge(job, answer_all(job)).wrong == "the timer never began to tick"
