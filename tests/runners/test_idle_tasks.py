"""Every runner with a few tasks: all wait at once, and their memory is counted."""

import os
import subprocess
import sys
from threading import Thread

import pytest
from apart import Parameters, take_rightly

from runners.harness.catalogue import scenarios as catalogue
from runners.harness.contract import Surroundings, peak_in_flight
from runners.idle_tasks import _memory, scenario, threads, threads_small_stack
from runners.idle_tasks import workload as idle_tasks

SCENARIO = catalogue.find()["idle_tasks"]
FEW: Parameters = {"size": "tiny", "tasks": 5}
ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the memory that a process takes")


def make_job(tasks: int = 3) -> idle_tasks.Job:
    return idle_tasks.prepare({"size": "tiny", "tasks": tasks}, Surroundings(2, 1))


@pytest.mark.parametrize("runner", SCENARIO.runners)
def test_all_tasks_wait_at_once_in_the_named_model(runner: str) -> None:
    values, observed = take_rightly(SCENARIO, runner, FEW)
    assert values["tasks_count"] == observed.peak_in_flight == observed.asked_at_once == 5
    assert 0 < values["start_up_ns"] < values["elapsed_ns"]
    assert 0 < values["release_ns"] < values["elapsed_ns"]
    has_threads = SCENARIO.runners[runner].family in {"threads", "processes", "interpreters"}
    assert observed.threads == (5 if has_threads else 1)
    assert observed.processes == (5 if runner == "processes" else 1)
    if sys.platform == "linux":
        assert values["before_bytes"] > 1_000_000
        # Under load the system may take back a few pages of the interpreter; what tasks hold stays.
        assert values["waiting_bytes"] > values["before_bytes"] - 1_000_000
        assert runner != "processes" or values["waiting_bytes"] > values["before_bytes"] + 5_000_000


@ON_LINUX
def test_memory_includes_child_processes() -> None:
    before = _memory.look()
    program = [sys.executable, "-c", "room = bytes(1) * 30_000_000; print(len(room), flush=True); input()"]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:  # noqa: S603 - our own
        assert child.stdout is not None
        child.stdout.readline()
        together = _memory.look()
        child.communicate(b"\n")
    assert before is not None
    assert together is not None
    assert together.processes >= {os.getpid(), child.pid}
    assert child.pid not in before.processes
    assert together.proportional_bytes > before.proportional_bytes + 25_000_000


def test_unknown_memory_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setattr(_memory, "PROC", tmp_path)
    job = make_job()
    threads.run(job)
    outcome = idle_tasks.judge(job, None)
    assert outcome.wrong == ""
    assert (outcome.values["before_bytes"], outcome.values["waiting_bytes"]) == (None, None)
    assert scenario.bytes_per_task(outcome.values) is None
    assert scenario.start_up_ns_per_task(outcome.values) is not None


def test_tasks_that_wait_in_turn_are_wrong() -> None:
    job = make_job()
    job.begin()
    for number in job.numbers:
        job.arrive(number)
        job.leave(number)
    job.look()
    job.end()
    assert idle_tasks.judge(job, None).wrong == "of 3 tasks, 0 waited while the memory was looked at"


def waiting_job() -> idle_tasks.Job:
    """Return a job whose tasks all wait."""
    job = make_job()
    job.begin()
    for number in job.numbers:
        job.arrive(number)
    assert job.all_wait()
    return job


def end(job: idle_tasks.Job) -> None:
    job.look()
    for number in job.numbers:
        if not job.left_ns[number]:
            job.leave(number)


@pytest.mark.parametrize("is_missing", [True, False])
def test_missing_or_early_task_is_wrong(*, is_missing: bool) -> None:
    job = waiting_job()
    if is_missing:
        job.arrived_ns[2] = 0
        assert not job.all_wait()
    else:
        job.leave(1)
    end(job)
    job.end()
    outcome = idle_tasks.judge(job, None)
    assert outcome.wrong == "of 3 tasks, 2 waited while the memory was looked at"
    assert "start_up_ns" not in outcome.values


def test_missing_beginning_or_end_is_wrong() -> None:
    job = waiting_job()
    end(job)
    assert idle_tasks.judge(job, None).wrong == "tasks ran before the beginning or after the end"
    job.end()
    outcome = idle_tasks.judge(job, None)
    assert (outcome.wrong, peak_in_flight(outcome.spans)) == ("", 3)
    job.begin()
    assert idle_tasks.judge(job, None).wrong == "tasks ran before the beginning or after the end"


@pytest.mark.parametrize("runner", [threads, threads_small_stack])
def test_refused_thread_ends_the_running_ones(monkeypatch: pytest.MonkeyPatch, runner: object) -> None:
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
        runner.run(make_job())  # type: ignore[attr-defined]  # a module
    assert len(started) == 2
    assert not any(thread.is_alive() for thread in started)
