"""Loops that share their work: lost echoes and leaves are wrong, and the time is from the first to the last."""

import asyncio

import pytest

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.contract import Span, Surroundings
from runners.loops_in_threads import workload
from runners.loops_in_threads._work import echoes
from runners.loops_in_threads.scenario import ideal_ns

CASES = catalogue.find()["loops_in_threads"].cases


def make_job(kind: str) -> workload.Job:
    case = next(case for case in CASES.values() if case.parameters["kind"] == kind)
    return workload.prepare({**case.parameters, **case.warm_up}, Surroundings(2, 1))


@pytest.mark.parametrize(("kind", "done"), [("trees", 72), ("connections", 6), ("loops", 16)])
def test_all_shares_are_counted(kind: str, done: int) -> None:
    job = make_job(kind)
    answers = [workload.Answer(done // 2, Span(start, start + 5, 1, start)) for start in (1, 4)]
    assert workload.judge(job, answers).wrong == ""
    assert workload.judge(job, answers).values == {"working_ns": 8}
    assert workload.judge(job, answers[:1]).wrong == f"{done} {kind} were expected in the end; there were {done // 2}"
    same_thread = [answer._replace(span=Span(1, 2, 1, 1)) for answer in answers]
    assert workload.judge(job, same_thread).wrong == "1 of 2 threads did all the work"
    assert workload.judge(job, []).wrong == f"{done} {kind} were expected in the end; there were 0"


def test_shares_are_all_of_the_work() -> None:
    for kind in ("trees", "connections"):
        job = make_job(kind)
        assert sum(share.amount for share in job.shares) == job.all.amount == job.amount


def test_every_message_comes_back() -> None:
    assert asyncio.run(echoes(3, 5)) == 15


def test_answers_before_their_wait_are_wrong() -> None:
    columns = {"completed_count": 24, "failed_count": 0, "latency_steps_us": [8_000, 10]}
    assert workload.judge(make_job("requests"), columns).wrong == ""
    early = workload.judge(make_job("requests"), {**columns, "latency_steps_us": [1_000, 10]}).wrong
    assert early == "an answer came after 1 ms, but each waits for 5 ms"
    assert workload.judge(make_job("requests"), {"completed_count": 23}).wrong


def test_ideal_is_half_the_time_of_one_loop_on_two_cores() -> None:
    assert ideal_ns({"workers": 8}, 2, {"working_ns": 100, "elapsed_ns": 300}) == 50
    assert ideal_ns({"workers": 2}, 4, {"elapsed_ns": 300}) == 150
    assert ideal_ns({"workers": 2}, 4, {}) is None
