"""A measuring job, however it ends: its artifact has its measurements, and the reason if it failed."""

import datetime as dt
import os
import signal
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from unittest.mock import Mock

import planted
import pytest
from click.testing import CliRunner, Result
from workflow import make_plan, place

from actions import job as actions_job
from actions import measure_cell
from actions.__main__ import main
from runners.harness import programs
from runners.harness.builds import interpreters
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.matrix import Machine
from runners.harness.record import codec
from runners.harness.run import new_run
from runners.harness.run.session import Session

__all__ = ["place"]

JOB = "ubuntu-24.04--job2"
FAILED = f"{JOB}.failed.txt"
BEGUN = new_run.begin
BUILDS = {"3.14": "3.13.0", "3.10": "3.14.0", "3.14t": "3.12.0"}
"""The measured version by the plan's name. A session has the builds in another order than the plan."""
NAMES = (f"{JOB}.reference.json", "ubuntu-24.04--3.10.json", "ubuntu-24.04--3.14t.json")
FILES = dict(zip(NAMES, BUILDS.values(), strict=True))


@dataclass
class Job:
    place: Path
    monkeypatch: pytest.MonkeyPatch

    def measure(self, ends: Callable[[], object] = lambda: None) -> Result:
        """Measure as far as the first files, then do what ends it."""

        def carry_out(session: Session, minutes: float) -> None:
            assert 0 < minutes <= 3 * 30 + 2 * (5 + 3 * 4)
            for build in range(len(session.builds)):
                session.write(build)
            ends()

        self.monkeypatch.setattr(new_run, "carry_out", carry_out)
        options = [f"--plan={self.place / 'plan.json'}", f"--out={self.place / 'measured'}"]
        return CliRunner().invoke(main, ["measure", *options])

    @property
    def left(self) -> dict[str, str]:
        return {path.name: path.read_text() for path in (self.place / "measured").iterdir()}


def as_named(build: interpreters.Prepared, python: str) -> interpreters.Prepared:
    return replace(build, request=replace(build.request, text=python))


@pytest.fixture
def job(place: Path, monkeypatch: pytest.MonkeyPatch) -> Job:
    make_plan(place, monkeypatch, "3.14, 3.10, 3.14t")
    monkeypatch.setenv("JOB", JOB)
    monkeypatch.setattr(measure_cell, "install", lambda _: None)
    monkeypatch.setattr(new_run, "wait_until_quiet", lambda: None)
    monkeypatch.setattr(actions_job, "today", lambda: dt.date(2026, 1, 3))
    session = planted.session(place / "measuring", ["patient"], versions=[*BUILDS.values()])
    named = {version: python for python, version in BUILDS.items()}
    session.builds = [as_named(build, named[build.build.version]) for build in session.builds]
    monkeypatch.setattr(new_run, "begin", lambda *_: session)
    return Job(place, monkeypatch)


def raising(error: BaseException) -> Callable[..., object]:
    return Mock(side_effect=error)


def test_job_leaves_a_file_a_build(job: Job) -> None:
    done = job.measure()
    assert done.exit_code == 0, done.output
    left = job.left
    assert {*left} == {*FILES}
    for name, version in FILES.items():
        assert codec.decode(left[name].encode()).build.version == version


def test_failed_job_leaves_its_files_and_a_reason(job: Job) -> None:
    done = job.measure(raising(RuntimeError("it broke in /home/somebody/secret/place\nand more")))
    assert isinstance(done.exception, RuntimeError)
    assert {*job.left} == {*FILES, FAILED}
    assert job.left[FAILED] == "RuntimeError: it broke in place and more\n"


@pytest.mark.parametrize(
    "ends", [raising(KeyboardInterrupt()), lambda: os.kill(os.getpid(), signal.SIGTERM)], ids=["cut", "ended"]
)
def test_ended_job_loses_nothing(job: Job, ends: Callable[[], object]) -> None:
    before = signal.getsignal(signal.SIGTERM)
    assert job.measure(ends).exit_code == 1
    assert {*job.left} == {*FILES, FAILED}
    assert job.left[FAILED] == measure_cell.CUT_OFF + "\n"
    assert signal.getsignal(signal.SIGTERM) is before


@pytest.mark.parametrize(("name", "value"), [("JOB", "../x"), ("JOB", "a\n"), ("PLAN_SHA256", "0" * 64)])
def test_unknown_job_or_changed_plan_writes_nothing(job: Job, name: str, value: str) -> None:
    job.monkeypatch.setenv(name, value)
    assert job.measure().exit_code == 2
    assert not (job.place / "measured").exists()


@pytest.mark.parametrize("day", [dt.date(2025, 12, 31), dt.date(2026, 1, 4)])
def test_job_on_another_day_measures_nothing(job: Job, day: dt.date) -> None:
    job.monkeypatch.setattr(actions_job, "today", lambda: day)
    assert job.measure(raising(RuntimeError())).exit_code == 2
    assert {*job.left} == {FAILED}
    assert "after 2 days no job may begin" in job.left[FAILED]


@pytest.mark.parametrize(("event", "trigger"), [("schedule", "schedule"), ("workflow_dispatch", "dispatch")])
def test_record_names_trigger_and_attempt(job: Job, event: str, trigger: str) -> None:
    job.monkeypatch.setattr(new_run, "begin", BEGUN)
    job.monkeypatch.setenv("GITHUB_EVENT_NAME", event)
    job.monkeypatch.setenv("GITHUB_RUN_ATTEMPT", "3")
    ready = [as_named(planted.prepared(version), python) for python, version in BUILDS.items()]
    job.monkeypatch.setattr(interpreters, "prepare", lambda _: ready)
    job.monkeypatch.setattr(catalogue, "find", Mock(return_value=planted.scenarios("patient")))
    assert job.measure().exit_code == 0
    records = [codec.decode(job.left[name].encode()) for name in FILES]
    assert {(record.run.trigger, record.run.id) for record in records} == {(trigger, f"2026-01-01-gh1001-3.{JOB}")}
    assert [record.kind for record in records] == ["by_product", "cell", "cell"]


@pytest.mark.parametrize(
    ("built_for", "host", "is_refused"),
    [
        ("win-amd64", "ARM64", True),
        ("linux-x86_64", "X64", False),
        ("macosx-11.0-arm64", "X64", True),
        ("linux-aarch64", "ARM64", False),
        ("macosx-11.0-universal2", "ARM64", False),
        ("win32", "X64", True),
    ],
)
def test_emulated_build_is_not_measured(job: Job, built_for: str, host: str, *, is_refused: bool) -> None:
    job.monkeypatch.setenv("RUNNER_ARCH", host)
    job.monkeypatch.setattr(interpreters, "find_platform", lambda _: built_for)
    assert job.measure().exit_code == (2 if is_refused else 0)
    assert (FAILED in job.left) is is_refused
    assert not is_refused or "emulated" in job.left[FAILED]


NATIVE = "cpython-3.14t-windows-aarch64-none"
PATCHED = Machine("mine", "", ["patched=/opt/cpython/bin/python3"])


@pytest.mark.parametrize(
    ("named", "runner", "resolved"),
    [
        ("3.14t+PYTHON_GIL=1", ("Windows", "ARM64"), f"{NATIVE}+PYTHON_GIL=1"),
        ("3.14t", ("Windows", "X64"), "3.14t"),
        ("3.14t", ("macOS", "ARM64"), "3.14t"),
        ("again=3.14t", ("Windows", "ARM64"), f"again={NATIVE}"),
        ("patched+PYTHON_JIT=1", ("Linux", "X64"), "patched=/opt/cpython/bin/python3+PYTHON_JIT=1"),
        ("again=patched", ("Linux", "X64"), "again=/opt/cpython/bin/python3"),
    ],
)
def test_build_is_native_or_has_the_path_of_matrix_toml(
    monkeypatch: pytest.MonkeyPatch, named: str, runner: tuple[str, str], resolved: str
) -> None:
    for name, value in zip(("RUNNER_OS", "RUNNER_ARCH"), runner, strict=True):
        monkeypatch.setenv(name, value)
    assert measure_cell.resolve(named, PATCHED) == resolved


def test_uv_installs_versions_only(monkeypatch: pytest.MonkeyPatch) -> None:
    run = Mock(return_value=subprocess.CompletedProcess([], 0, "", ""))
    monkeypatch.setattr(programs, "run", run)
    measure_cell.install(["3.14", "3.13", "3.13+aiohttp==3.13.5", "patched=/opt/bin/python3+PYTHON_JIT=1"])
    assert [call.args[1:] for call in run.call_args_list] == [
        ("python", "install", "3.14"),
        ("python", "install", "3.13"),
    ]
