"""Trying every runner once: what is wrong ends with status 1, what is no fault of ours with 0."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
import planted
import pytest
from click.testing import CliRunner, Result

from actions import measure_cell
from actions.commands import main
from runners.harness.measure import GIL_IS_BACK
from runners.harness.process.launcher import SampleResult
from runners.harness.record.model import Observed, Package
from runners.harness.run import new_run

if TYPE_CHECKING:
    from pathlib import Path

    from runners.harness.run.session import Session

PACKAGED = "misses_a_package"
OK = SampleResult("ok", None, {"elapsed_ns": 1000}, Observed(gil_before=True))
Outcomes = dict[str, SampleResult]
Try = Callable[..., Result]


def session_of(folder: Path, *, free_threaded: bool = True, installed: bool = True, dirty: bool = False) -> Session:
    """Begin a run of one runner of the standard library and one that needs a package."""
    made = planted.session(folder, ["misbehaving"], rounds=1, versions=("3.14.0",), runners=("doubles", PACKAGED))
    build = msgspec.structs.replace(made.builds[0].build, free_threaded=free_threaded, gil_at_start=not free_threaded)
    package = Package(version="1.0", reason=None) if installed else Package(version=None, reason="no wheel")
    ready = replace(made.builds[0], build=build, packages={"no_such_package": package})
    order = replace(made.order, run=msgspec.structs.replace(made.order.run, dirty=dirty))
    return type(made)(order, made.scenarios, [ready])


@pytest.fixture
def try_out(monkeypatch: pytest.MonkeyPatch) -> Try:
    """Return what tries a session, where each sample comes back as *outcomes* say by runner, and well where they don't.

    What is written is the session's, or what was *measured* in its place; or it is *spoilt*.
    """
    for name in ("RUNNER_OS", "RUNNER_ARCH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(measure_cell, "install", lambda _: None)

    def tried(
        session: Session,
        outcomes: Outcomes,
        *options: str,
        measured: Session | None = None,
        spoilt: bool = False,
    ) -> Result:
        def carry_out(session: Session) -> dict[tuple[str, str], str]:
            begun = measured or session
            for step in begun.steps:
                begun.builders[0].add(step, outcomes.get(step.entry.runner, OK))
            begun.write(0, complete=True)
            if spoilt:
                session.paths()[0].write_text("{")
            return {}

        monkeypatch.setattr(new_run, "begin", lambda *_: session)
        monkeypatch.setattr(new_run, "carry_out", carry_out)
        return CliRunner().invoke(main, ["try", "--python=3.14t", *options])

    return tried


@pytest.mark.parametrize(
    ("outcomes", "installed"),
    [({}, True), ({}, False), *(({PACKAGED: SampleResult("failed", words)}, True) for words in GIL_IS_BACK)],
    ids=["all measured", "a package that does not install", "a package", "that turns the GIL back on"],
)
def test_what_is_no_fault_of_ours_ends_well(
    tmp_path: Path, try_out: Try, outcomes: Outcomes, *, installed: bool
) -> None:
    done = try_out(session_of(tmp_path, installed=installed), outcomes)
    assert done.exit_code == 0, done.output
    assert "fault" not in done.output


FAULTS: dict[str, tuple[Outcomes, str]] = {
    "a wrong answer": ({"doubles": SampleResult("failed", "wrong answer: 4")}, "doubles (subject): failed: wrong ans"),
    "a package's runner that fails": ({PACKAGED: SampleResult("failed", "it broke")}, "(subject): failed: it broke"),
    "one that takes too long": ({PACKAGED: SampleResult("timed_out", "120 s")}, "(subject): timed_out: 120 s"),
    "unsupported without a package": ({"doubles": SampleResult("unsupported", "not here")}, "unsupported: not here"),
    "no reason": ({PACKAGED: SampleResult("unsupported", None)}, "unsupported, and no reason is given"),
    "another word on the GIL": ({PACKAGED: SampleResult("failed", f"{GIL_IS_BACK[0]}, crashed")}, "crashed"),
    "the GIL, without a package": ({"doubles": SampleResult("failed", GIL_IS_BACK[0])}, "doubles (subject): failed: "),
    "an impossible time": ({"doubles": SampleResult("ok", None, {"elapsed_ns": 0})}, "clock in round 1: it took 0 ns"),
    "nothing measured": (dict.fromkeys(("doubles", PACKAGED), SampleResult("unsupported", "no")), "nothing was meas"),
    "a reason that acts": ({"doubles": SampleResult("failed", "a\n::error::b")}, "failed: a : :error: :b"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_is_wrong_is_printed_and_fails(tmp_path: Path, try_out: Try, name: str) -> None:
    outcomes, words = FAULTS[name]
    done = try_out(session_of(tmp_path), outcomes)
    assert done.exit_code == 1
    assert any(line.startswith("fault: ") and words in line for line in done.output.splitlines()), done.output


def test_the_gil_can_not_come_back_on_a_build_that_has_it(tmp_path: Path, try_out: Try) -> None:
    session = session_of(tmp_path, free_threaded=False)
    assert try_out(session, {PACKAGED: SampleResult("failed", GIL_IS_BACK[0])}).exit_code == 1


def test_a_checkout_that_is_not_a_commit_s_is_a_fault_unless_it_is_let(tmp_path: Path, try_out: Try) -> None:
    done = try_out(session_of(tmp_path, dirty=True), {})
    assert done.exit_code == 1
    assert "the code is not that of a commit" in done.output
    assert try_out(session_of(tmp_path, dirty=True), {}, "--allow-dirty").exit_code == 0


def test_a_record_that_can_not_be_read_again_is_a_fault(tmp_path: Path, try_out: Try) -> None:
    done = try_out(session_of(tmp_path), {}, spoilt=True)
    assert done.exit_code == 1
    assert "its file can't be read again" in done.output


def test_what_is_not_this_checkout_s_code_is_a_fault(tmp_path: Path, try_out: Try) -> None:
    session = session_of(tmp_path)
    other = replace(session.scenarios["misbehaving"], scenario_sha256="0" * 64)
    done = try_out(session, {}, measured=type(session)(session.order, {"misbehaving": other}, session.builds))
    assert done.exit_code == 1
    assert "scenario_sha256: that of 'misbehaving' is not of this commit's files" in done.output
