"""Every runner with a few tasks: all wait at once, and what is counted is theirs."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from itertools import pairwise
from threading import Event, Thread
from typing import TYPE_CHECKING

import pytest
from apart import take_rightly

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.contract import Surroundings, peak_in_flight
from runners.idle_tasks import _memory, scenario, threads, threads_small_stack
from runners.idle_tasks import workload as idle_tasks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from runners.harness.contract import Parameters, Value

SCENARIO = catalogue.find()["idle_tasks"]
FEW: Parameters = {"size": "tiny", "tasks": 5}
ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the memory that a process takes")


def job_of(tasks: int = 3) -> idle_tasks.Job:
    return idle_tasks.prepare({"size": "tiny", "tasks": tasks}, Surroundings(2, 1))


@pytest.mark.parametrize("runner", SCENARIO.runners)
def test_all_tasks_wait_at_once_each_where_the_runner_says(runner: str) -> None:
    values, observed = take_rightly(SCENARIO, runner, FEW)
    assert values["tasks_count"] == observed.peak_in_flight == observed.asked_at_once == 5
    assert 0 < values["start_up_ns"] < values["elapsed_ns"]
    assert 0 < values["release_ns"] < values["elapsed_ns"]
    of_its_own = SCENARIO.runners[runner].family in {"threads", "processes", "interpreters"}
    assert observed.threads == (5 if of_its_own else 1)
    assert observed.processes == (5 if runner == "processes" else 1)
    if sys.platform == "linux":
        assert values["waiting_bytes"] >= values["before_bytes"] > 1_000_000


@ON_LINUX
def test_processes_take_more_memory_than_threads_which_take_more_than_asyncio_tasks() -> None:
    needed: list[float] = []
    for runner, tasks in (("asyncio_tasks", 500), ("threads", 500), ("processes", 5)):
        values, _ = take_rightly(SCENARIO, runner, {**FEW, "tasks": tasks})
        each = scenario.bytes_per_task(values)
        assert each is not None
        needed.append(each)
    assert all(less < more for less, more in pairwise(needed))


@ON_LINUX
def test_memory_is_that_of_all_processes_below() -> None:
    alone = _memory.look()
    program = [sys.executable, "-c", "room = bytes(1) * 30_000_000; print(len(room), flush=True); input()"]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:  # noqa: S603 - our own
        assert child.stdout is not None
        child.stdout.readline()
        together = _memory.look()
        child.communicate(b"\n")
    assert alone is not None
    assert together is not None
    assert together.processes >= {os.getpid(), child.pid}
    assert child.pid not in alone.processes
    assert together.proportional_bytes > alone.proportional_bytes + 25_000_000


def test_where_the_system_tells_no_memory_there_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setattr(_memory, "PROC", tmp_path)
    job = job_of()
    threads.run(job)
    outcome = idle_tasks.judge(job, None)
    assert outcome.wrong == ""
    assert (outcome.values["before_bytes"], outcome.values["waiting_bytes"]) == (None, None)
    assert scenario.bytes_per_task(outcome.values) is None
    assert scenario.start_up_ns_per_task(outcome.values) is not None


@ON_LINUX
def test_the_memory_of_a_task_in_a_process_that_was_not_looked_at_is_none() -> None:
    job = job_of()
    threads.run(job)
    job.process_ids[1] = 1
    assert idle_tasks.judge(job, None).values["waiting_bytes"] is None


def test_tasks_that_wait_one_after_another_are_found_out() -> None:
    job = job_of()
    job.begin()
    for number in job.numbers:
        job.arrive(number)
        job.leave(number)
    job.look()
    job.end()
    assert idle_tasks.judge(job, None).wrong == "of 3 tasks, 0 waited while the memory was looked at"


def arrivals(job: idle_tasks.Job) -> Iterator[int]:
    job.begin()
    for number in job.numbers:
        job.arrive(number)
        yield number


def test_a_task_too_few_or_one_that_left_too_early_is_found_out() -> None:
    missing, early = job_of(), job_of()
    for job in (missing, early):
        everyone = [*arrivals(job)]
        assert job.all_wait()
        if job is missing:
            job.arrived_ns[2] = 0
            assert not job.all_wait()
        else:
            job.leave(1)
        job.look()
        for number in everyone:
            if not job.left_ns[number]:
                job.leave(number)
        job.end()
        outcome = idle_tasks.judge(job, None)
        assert outcome.wrong == "of 3 tasks, 2 waited while the memory was looked at"
        assert "start_up_ns" not in outcome.values


def test_a_look_before_the_last_arrival_or_none_at_all_is_found_out() -> None:
    too_soon, never = job_of(), job_of()
    too_soon.look()
    for job in (too_soon, never):
        for number in arrivals(job):
            job.leave(number)
        job.end()
        assert idle_tasks.judge(job, None).wrong == "of 3 tasks, 0 waited while the memory was looked at"


def test_a_runner_that_leaves_out_the_beginning_or_the_end_is_found_out() -> None:
    job = job_of()
    for number in arrivals(job):
        assert number < 3
    job.look()
    for number in job.numbers:
        job.leave(number)
    assert idle_tasks.judge(job, None).wrong == "tasks ran before the beginning or after the end"
    job.end()
    outcome = idle_tasks.judge(job, None)
    assert outcome.wrong == ""
    assert peak_in_flight(outcome.spans) == 3
    job.begin()
    assert idle_tasks.judge(job, None).wrong == "tasks ran before the beginning or after the end"


@pytest.mark.parametrize("runner", [threads, threads_small_stack])
def test_where_the_system_refuses_a_thread_those_that_run_are_ended(
    monkeypatch: pytest.MonkeyPatch, runner: object
) -> None:
    started: list[Thread] = []

    class Refused(Thread):
        def start(self) -> None:
            if len(started) == 2:
                msg = "can't start new thread"
                raise RuntimeError(msg)
            super().start()
            started.append(self)

    monkeypatch.setattr(runner, "Thread", Refused)
    with pytest.raises(RuntimeError, match="can't start new thread"):
        runner.run(job_of())  # type: ignore[attr-defined]  # a module
    assert len(started) == 2
    assert not any(thread.is_alive() for thread in started)


def test_a_refusal_is_recorded_with_its_reason() -> None:
    assert SCENARIO.runners["threads"].takes_part(SCENARIO.cases["10,000 tasks"])
    limited = (
        "import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_AS, (600_000_000, 600_000_000));"
        "sys.path.insert(0, '.'); from runners.harness.contract import Surroundings;"
        "from runners.idle_tasks import threads, workload;"
        "threads.run(workload.prepare({'tasks': 10_000}, Surroundings(2, 1)))"
    )
    if sys.platform != "linux":
        pytest.skip("elsewhere the address space can't be limited")
    program = [sys.executable, "-c", limited]
    done = subprocess.run(program, capture_output=True, text=True, timeout=60, check=False, cwd=catalogue.ROOT)  # noqa: S603
    assert done.returncode == 1
    assert done.stderr.strip().splitlines()[-1] == "RuntimeError: can't start new thread"


def test_the_small_stack_is_that_of_its_threads() -> None:
    before = threading.stack_size()
    try:
        threads_small_stack.run(job_of())
        assert threading.stack_size() == 64 * 1024
    finally:
        threading.stack_size(before)


def test_metrics_are_computed_from_the_raw_columns_and_nothing_is_made_of_nothing() -> None:
    columns: dict[str, Value] = {"tasks_count": 4, "before_bytes": 100, "waiting_bytes": 500, "start_up_ns": 80}
    assert scenario.bytes_per_task(columns) == 100
    assert scenario.start_up_ns_per_task(columns) == 20
    for missing in columns:
        without = {name: value for name, value in columns.items() if name != missing}
        assert None in {scenario.bytes_per_task(without), scenario.start_up_ns_per_task(without)}
    assert scenario.bytes_per_task({**columns, "waiting_bytes": 100}) is None
    assert scenario.bytes_per_task({**columns, "tasks_count": 0}) is None


def test_processes_and_interpreters_take_part_at_100_alone() -> None:
    for name, case in SCENARIO.cases.items():
        taking_part = {name for name, runner in SCENARIO.runners.items() if runner.takes_part(case)}
        assert ({"processes", "interpreters_waiting"} <= taking_part) == (name == "100 tasks")
        assert {"asyncio_tasks", "threads", "greenlets"} <= taking_part
        assert name == f"{case.parameters['tasks']:,} tasks"
        assert SCENARIO.baseline_of(name)[1] == ("threads" if name == "100 tasks" else "asyncio_tasks")


def test_an_event_that_is_set_lets_a_waiting_thread_go() -> None:
    job, release = job_of(1), Event()
    thread = Thread(target=threads.wait, args=(job, 0, release))
    thread.start()
    while not job.all_wait():
        time.sleep(0.001)
    assert not job.left_ns[0]
    release.set()
    thread.join()
    assert job.left_ns[0] > job.arrived_ns[0]
