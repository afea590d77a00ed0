"""Trying every runner once: what is wrong ends with status 1, what is no fault of ours with 0."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
import planted
import pytest
from click.testing import CliRunner

from actions import measure_cell
from actions.commands import main
from runners.harness.measure import GIL_IS_BACK
from runners.harness.process.launcher import SampleResult
from runners.harness.record.model import Package
from runners.harness.run import new_run

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

    from runners.harness.run.session import Session

PACKAGED = "misses_a_package"
OK = SampleResult("ok", None, {"elapsed_ns": 1000}, {"gil_before": True})
Outcome = dict[str, SampleResult]


def session_of(folder: Path, *, free_threaded: bool = True, installed: bool = True, dirty: bool = False) -> Session:
    """Begin a run of one runner of the standard library and one that needs a package."""
    made = planted.session(folder, ["misbehaving"], rounds=1, versions=("3.14.0",), runners=("doubles", PACKAGED))
    build = msgspec.structs.replace(made.builds[0].build, free_threaded=free_threaded, gil_at_start=not free_threaded)
    package = Package(version="1.0", reason=None) if installed else Package(version=None, reason="no wheel")
    ready = replace(made.builds[0], build=build, packages={"no_such_package": package})
    order = replace(made.order, run=msgspec.structs.replace(made.order.run, dirty=dirty))
    return type(made)(order, made.scenarios, [ready])


@pytest.fixture
def monkey(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in ("RUNNER_OS", "RUNNER_ARCH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(measure_cell, "install", lambda _: None)
    return monkeypatch


def tried(monkeypatch: pytest.MonkeyPatch, session: Session, outcomes: Outcome, *options: str) -> Result:
    """Try, where each sample comes back as *outcomes* says by runner, and well where it says nothing."""

    def carry_out(begun: Session) -> dict[tuple[str, str], str]:
        for step in begun.steps:
            begun.ledgers[0].add(step, outcomes.get(step.entry.runner, OK))
        begun.write(0, complete=True)
        return {}

    monkeypatch.setattr(new_run, "begun", lambda *_: session)
    monkeypatch.setattr(new_run, "carry_out", carry_out)
    return CliRunner().invoke(main, ["try", "--python=3.14t", *options])


def test_where_every_runner_is_measured_nothing_is_wrong(tmp_path: Path, monkey: pytest.MonkeyPatch) -> None:
    done = tried(monkey, session_of(tmp_path), {})
    assert (done.exit_code, done.output) == (0, "")


def test_what_fails_is_told(tmp_path: Path, monkey: pytest.MonkeyPatch) -> None:
    done = tried(monkey, session_of(tmp_path), {"doubles": SampleResult("failed", "wrong answer: 4")})
    assert done.exit_code == 1
    assert "fault: misbehaving, tiny: doubles (subject): failed: wrong answer: 4" in done.output.splitlines()


@pytest.mark.parametrize("status", ["failed", "timed_out"])
def test_a_package_s_runner_may_not_fail_either(tmp_path: Path, monkey: pytest.MonkeyPatch, status: str) -> None:
    taken = SampleResult("failed" if status == "failed" else "timed_out", "it broke")
    assert tried(monkey, session_of(tmp_path), {PACKAGED: taken}).exit_code == 1


def test_a_package_that_does_not_install_is_no_fault_of_ours(tmp_path: Path, monkey: pytest.MonkeyPatch) -> None:
    done = tried(monkey, session_of(tmp_path, installed=False), {})
    assert done.exit_code == 0, done.output


def test_what_needs_no_package_may_not_be_unsupported(tmp_path: Path, monkey: pytest.MonkeyPatch) -> None:
    done = tried(monkey, session_of(tmp_path), {"doubles": SampleResult("unsupported", "not on this system")})
    assert done.exit_code == 1
    assert "unsupported: not on this system" in done.output


def test_where_nothing_at_all_is_measured_that_is_a_fault(tmp_path: Path, monkey: pytest.MonkeyPatch) -> None:
    nothing = dict.fromkeys(("doubles", PACKAGED), SampleResult("unsupported", "not here"))
    done = tried(monkey, session_of(tmp_path), nothing)
    assert done.exit_code == 1
    assert "fault: nothing was measured" in done.output.splitlines()


def test_a_status_without_a_reason_is_a_fault(tmp_path: Path, monkey: pytest.MonkeyPatch) -> None:
    done = tried(monkey, session_of(tmp_path), {PACKAGED: SampleResult("unsupported", None)})
    assert done.exit_code == 1
    assert "unsupported, and no reason is given" in done.output


@pytest.mark.parametrize("words", GIL_IS_BACK)
def test_a_package_that_turns_the_gil_back_on_is_no_fault_of_ours(
    tmp_path: Path, monkey: pytest.MonkeyPatch, words: str
) -> None:
    assert tried(monkey, session_of(tmp_path), {PACKAGED: SampleResult("failed", words)}).exit_code == 0


@pytest.mark.parametrize("words", ["it crashed in the GIL", f"{GIL_IS_BACK[0]} and crashed", "GIL"])
def test_another_reason_that_speaks_of_the_gil_is_a_fault(
    tmp_path: Path, monkey: pytest.MonkeyPatch, words: str
) -> None:
    assert tried(monkey, session_of(tmp_path), {PACKAGED: SampleResult("failed", words)}).exit_code == 1


def test_the_gil_can_not_come_back_on_a_build_that_has_it(tmp_path: Path, monkey: pytest.MonkeyPatch) -> None:
    session = session_of(tmp_path, free_threaded=False)
    assert tried(monkey, session, {PACKAGED: SampleResult("failed", GIL_IS_BACK[0])}).exit_code == 1


def test_what_needs_no_package_may_not_turn_the_gil_back_on(tmp_path: Path, monkey: pytest.MonkeyPatch) -> None:
    assert tried(monkey, session_of(tmp_path), {"doubles": SampleResult("failed", GIL_IS_BACK[0])}).exit_code == 1


def test_what_the_sanity_gate_refuses_is_a_fault(tmp_path: Path, monkey: pytest.MonkeyPatch) -> None:
    done = tried(monkey, session_of(tmp_path), {"doubles": SampleResult("ok", None, {"elapsed_ns": 0})})
    assert done.exit_code == 1
    assert "clock in round 1: it took 0 ns" in done.output


def test_a_checkout_that_is_not_a_commit_s_is_a_fault_unless_it_is_let(
    tmp_path: Path, monkey: pytest.MonkeyPatch
) -> None:
    done = tried(monkey, session_of(tmp_path, dirty=True), {})
    assert done.exit_code == 1
    assert "the code is not that of a commit" in done.output
    assert tried(monkey, session_of(tmp_path, dirty=True), {}, "--allow-dirty").exit_code == 0


def test_a_record_that_can_not_be_read_again_is_a_fault(tmp_path: Path, monkey: pytest.MonkeyPatch) -> None:
    session = session_of(tmp_path)
    tried(monkey, session, {})

    def carry_out(_: Session) -> dict[tuple[str, str], str]:
        session.paths()[0].write_text("{")
        return {}

    monkey.setattr(new_run, "carry_out", carry_out)
    done = CliRunner().invoke(main, ["try", "--python=3.14t"])
    assert done.exit_code == 1
    assert "its file can't be read again" in done.output


def test_what_is_not_this_checkout_s_code_is_a_fault(tmp_path: Path, monkey: pytest.MonkeyPatch) -> None:
    session = session_of(tmp_path)
    other = replace(session.scenarios["misbehaving"], scenario_sha256="0" * 64)
    measured = type(session)(session.order, {"misbehaving": other}, session.builds)

    def carry_out(_: Session) -> dict[tuple[str, str], str]:
        for step in measured.steps:
            measured.ledgers[0].add(step, OK)
        measured.write(0, complete=True)
        return {}

    tried(monkey, session, {})
    monkey.setattr(new_run, "carry_out", carry_out)
    done = CliRunner().invoke(main, ["try", "--python=3.14t"])
    assert done.exit_code == 1
    assert "scenario_sha256: that of 'misbehaving' is not of this commit's files" in done.output
