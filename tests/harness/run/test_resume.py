"""Resuming runs, and reasons why some can't be resumed."""

import functools
import json
import operator
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path

import pytest
from planted import prepared, read, scenarios, session

from runners.harness.builds import host, interpreters, kept_requests
from runners.harness.errors import UserError
from runners.harness.process import launcher
from runners.harness.process.launcher import SampleResult
from runners.harness.run import resume
from runners.harness.run.revision import Revision
from runners.harness.run.session import Session

VERSIONS = ("3.12.9", "3.11.7", "3.10.2")
NAMES = ("hanging",)
BUSY = host.usable_cores() + 1.0
PLANTED = scenarios(*NAMES)
PROGRAM = "/tmp/program"  # noqa: S108 - nothing is there
REFERENCE = "*3.12.9*"
FIND_KEPT = kept_requests.find


@pytest.fixture
def cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Interrupt a run of three builds after the third sample of its second round, and return its folder."""
    run = session(tmp_path / "run", NAMES, versions=VERSIONS)
    interrupt_after(sum(step.round == 1 for step in run.steps) + 3, run, monkeypatch)
    return tmp_path / "run"


def interrupt_after(samples: int, run: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    results = iter([SampleResult("ok", None, {"elapsed_ns": 1})] * samples)
    monkeypatch.setattr(launcher, "take", lambda *_: next(results))
    monkeypatch.setattr(launcher, "Launcher", nullcontext)
    monkeypatch.setattr(resume, "wait_until_quiet", lambda: None)
    monkeypatch.setattr(kept_requests, "find", lambda _, names: names)
    monkeypatch.setattr(interpreters, "prepare", lambda names: [prepared(name.split("-")[1]) for name in names])
    monkeypatch.setattr(resume, "revision", Revision)
    monkeypatch.setattr(host, "load_average", lambda: 0.5)
    with pytest.raises(StopIteration):
        run.measure()


def change(folder: Path, files: str, changes: Mapping[str, object]) -> None:
    """Change fields, named as in `run.commit` and `series.0.runner`, of the files that match."""
    for path in folder.glob(files):
        record = json.loads(path.read_bytes())
        for field, value in changes.items():
            *way, last = [int(step) if step.isdigit() else step for step in field.split(".")]
            functools.reduce(operator.getitem, way, record)[last] = value
        path.write_text(json.dumps(record), encoding="utf-8")


def refusal(path: Path) -> str:
    with pytest.raises(UserError) as refused:
        resume.resume(path, PLANTED)
    return str(refused.value)


def test_folder_or_any_of_its_files_resumes_the_same_plan(cut: Path) -> None:
    change(cut, REFERENCE, {"complete": True})  # others are not
    begun = session(cut, NAMES, versions=VERSIONS)
    for path in (cut, *cut.glob("*.json")):
        again = resume.resume(path, PLANTED)
        assert [build.name for build in again.builds] == ["cpython-3.12.9", "cpython-3.10.2", "cpython-3.11.7"]
        assert [build.name for build in begun.builds] == [build.name for build in again.builds]
        assert again.paths()[0].parent == cut
        assert again.order.run == read(again).run


def test_interrupted_block_is_repeated_and_earlier_ones_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    two = ("hanging", "patient")
    run = session(tmp_path / "run", two, versions=VERSIONS)
    blocks = [(step.round, step.entry.scenario) for step in run.steps]
    before = blocks.index(blocks[-1])
    interrupt_after(before + 1, run, monkeypatch)
    again = resume.resume(tmp_path / "run", scenarios(*two))
    assert blocks[-1][0] == blocks[before - 1][0]  # another block of the same round comes first
    assert again.not_reached() == again.steps[before:]


@pytest.mark.parametrize(
    ("first", "then", "kept"),
    [(0.2, 0.7, 0.7), (0.7, 0.2, 0.7), (None, 0.5, 0.5), (BUSY, BUSY + 1, BUSY + 1)],
)
def test_higher_load_of_the_two_parts_is_kept(
    cut: Path, monkeypatch: pytest.MonkeyPatch, first: float | None, then: float, kept: float
) -> None:
    change(cut, "*.json", {"machine.load_before": first, "machine.steal_share": first and first / 100})
    monkeypatch.setattr(host, "load_average", lambda: then)
    monkeypatch.setattr(host, "lost_shares", lambda *_: dict.fromkeys(("steal_share", "throttled_share"), then / 100))
    again = resume.resume(cut, PLANTED)
    again.write(0)
    machine = read(again).machine
    assert (machine.load_before, machine.steal_share) == (kept, kept / 100)
    assert machine.throttled_share == then / 100


def test_folder_of_runs_is_refused_with_the_newest(cut: Path) -> None:
    (cut.parent / "result.schema.json").touch()
    assert refusal(cut.parent).endswith(f"such as {cut}")


def test_busy_machine_does_not_resume_a_quiet_run(cut: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change(cut, "*.json", {"machine.load_before": 0.5})
    monkeypatch.setattr(host, "load_average", lambda: BUSY)
    assert f"the load is {BUSY:.1f}" in refusal(cut)


REFUSED: dict[str, tuple[str, dict[str, object], str]] = {
    "complete": ("*", {"complete": True}, "{cut} is complete"),
    "files of several runs": ("*3.10.2*", {"run.id": "another"}, "{cut} has files of several runs"),
    "another processor": ("*", {"machine.cpu": "another"}, "{cut} was measured on another machine"),
    "another commit": (REFERENCE, {"run.commit": "cc"}, "{cut} was measured from commit cc"),
    "changed runner": (REFERENCE, {"series.0.source_sha256": "0" * 64}, "hanging/forever has changed"),
    "changed scenario": (REFERENCE, {"scenario_sha256.hanging": "0" * 64}, "hanging/forever has changed"),
    "changed in another file": ("*3.10.2*", {"series.0.source_sha256": "0" * 64}, "hanging/forever has changed"),
    "runner gone": (REFERENCE, {"series.0.runner": "gone"}, "hanging/gone was removed"),
    "scenario gone": (REFERENCE, {"series.0.scenario": "gone"}, "gone/forever was removed"),
    "other packages": (REFERENCE, {"packages.gevent": {"version": "9", "reason": None}}, "cpython-3.12.9 has other "),
    "another build": ("*", dict.fromkeys(("build.lto", "reference_build.lto"), False), "cpython-3.12.9 was measured, "),
}


@pytest.mark.parametrize("reason", REFUSED)
def test_changed_run_is_refused_with_the_reason(cut: Path, reason: str) -> None:
    files, changes, message = REFUSED[reason]
    change(cut, files, changes)
    assert refusal(cut).startswith(message.format(cut=cut))


def test_missing_and_unreadable_files_are_named(cut: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for path in (tmp_path / "empty", cut / "mistyped.json"):
        assert refusal(path).startswith(f"{path} has no result file")
    next(cut.glob(REFERENCE)).unlink()
    assert refusal(cut).startswith(f"{cut} lacks the file of the reference build, 'cpython-3.12.9'")
    for data in (b"", b'{"a":' + b"[" * 100_000, b'{"schema_version": 2}', b"\xff"):
        next(cut.glob("*3.10.2.json")).write_bytes(data)
        assert refusal(cut).startswith("planted-cpython-3.10.2.json can't be resumed: ")


@pytest.mark.parametrize(
    "changes",
    [
        *({"version": name} for name in (PROGRAM, "../program", "python")),
        *({"variant": [word]} for word in (PROGRAM, f"{PROGRAM}+-Xdev")),
        {"implementation": PROGRAM},
    ],
)
def test_no_program_that_a_file_names_is_run(
    cut: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, object]
) -> None:
    for field in ("build", "reference_build"):
        change(cut, REFERENCE, {f"{field}.{name}": value for name, value in changes.items()})
    monkeypatch.setattr(kept_requests, "find", FIND_KEPT)
    monkeypatch.setattr(interpreters, "prepare", lambda _: pytest.fail("a program was started"))
    assert "start a new run" in refusal(cut)
