"""What can be resumed, and what can't and why."""

from __future__ import annotations

import functools
import json
import operator
from contextlib import nullcontext
from typing import TYPE_CHECKING

import factory
import msgspec
import pytest
from planted import prepared, read, scenarios, session

from runners.harness.builds import found_again, host, interpreters
from runners.harness.errors import UserError
from runners.harness.process import launcher
from runners.harness.process.launcher import SampleResult
from runners.harness.run import new_run
from runners.harness.run.session import Revision

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from runners.harness.run.session import Session

VERSIONS = ("3.12.9", "3.11.7", "3.10.2")
NAMES = ("hanging",)
BUSY = host.usable_cores() + 1.0
"""A load under which nothing is decided here."""
FOUND = scenarios(*NAMES)


@pytest.fixture
def cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Cut a run of three builds off after the third sample of its second round; return its folder."""
    run = session(tmp_path / "run", NAMES, versions=VERSIONS)
    cut_after(sum(step.round == 1 for step in run.steps) + 3, run, monkeypatch)
    return tmp_path / "run"


def cut_after(samples: int, run: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = iter([SampleResult("ok", None, {"elapsed_ns": 1})] * samples)

    def take(*_: object) -> SampleResult:
        return next(taken)

    monkeypatch.setattr(launcher, "take", take)
    monkeypatch.setattr(launcher, "Launcher", nullcontext)
    monkeypatch.setattr(new_run, "wait_until_quiet", lambda: None)
    monkeypatch.setattr(interpreters, "prepare", lambda wanted: [prepared(version) for version in wanted])
    monkeypatch.setattr(new_run, "revision", Revision)
    monkeypatch.setattr(host, "load_average", lambda: 0.5)
    with pytest.raises(StopIteration):
        run.measure()


def change(folder: Path, files: str, changes: Mapping[str, object]) -> None:
    """Change fields of the files; one is named as in `run.commit` and `series.0.runner`."""
    for path in folder.glob(files):
        record = json.loads(path.read_bytes())
        for field, value in changes.items():
            *way, last = [int(step) if step.isdigit() else step for step in field.split(".")]
            functools.reduce(operator.getitem, way, record)[last] = value
        path.write_text(json.dumps(record), encoding="utf-8")


def refusal(path: Path) -> str:
    with pytest.raises(UserError) as refused:
        new_run.resume(path, FOUND)
    return str(refused.value)


def file_of(folder: Path, version: str) -> Path:
    return next(folder.glob(f"*{version}.json"))


def test_a_folder_or_any_of_its_files_will_do_and_builds_keep_their_order(cut: Path) -> None:
    begun = session(cut, NAMES, versions=VERSIONS)
    for path in (cut, *cut.glob("*.json")):
        again = new_run.resume(path, FOUND)
        assert [build.name for build in again.builds] == ["cpython-3.12.9", "cpython-3.10.2", "cpython-3.11.7"]
        assert [build.name for build in begun.builds] == [build.name for build in again.builds]
        assert again.paths()[0].parent == cut
        assert again.order.run == read(again).run


def test_the_block_in_which_it_was_cut_off_is_measured_anew_and_what_came_before_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = ("hanging", "patient")
    run = session(tmp_path / "run", two, versions=VERSIONS)
    scenario_of = [(step.round, step.entry.scenario) for step in run.steps]
    last = scenario_of[-1]
    before = scenario_of.index(last)
    cut_after(before + 1, run, monkeypatch)
    again = new_run.resume(tmp_path / "run", scenarios(*two))
    assert last[0] == scenario_of[before - 1][0]  # another block of the same round comes first
    assert again.not_reached() == again.steps[before:]


@pytest.mark.parametrize(
    ("first", "then", "kept"),
    [(0.2, 0.7, 0.7), (0.7, 0.2, 0.7), (None, 0.5, 0.5), (0.5, None, 0.5), (BUSY, BUSY + 1, BUSY + 1)],
)
def test_the_load_that_it_began_under_is_that_of_the_worse_part(
    cut: Path, monkeypatch: pytest.MonkeyPatch, first: float | None, then: float | None, kept: float
) -> None:
    change(cut, "*.json", {"machine.load_before": first})
    monkeypatch.setattr(host, "load_average", lambda: then)
    again = new_run.resume(cut, FOUND)
    again.write(0)
    assert read(again).machine.load_before == kept


def test_a_load_that_would_spoil_all_that_was_measured_is_waited_for(
    cut: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(cut, "*.json", {"machine.load_before": 0.5})
    monkeypatch.setattr(host, "load_average", lambda: BUSY)
    before = file_of(cut, "3.12.9").read_bytes()
    assert refusal(cut).startswith(f"{cut} would decide nothing if it went on now: the load is {BUSY:.1f}, above the")
    assert refusal(cut).endswith("wait, or end what runs, and do this again")
    assert file_of(cut, "3.12.9").read_bytes() == before


@pytest.mark.parametrize(("first", "then", "kept"), [(0.02, 0.001, 0.02), (0.001, 0.02, 0.02), (None, 0.0, 0.0)])
def test_what_the_host_withheld_is_that_of_the_worse_part(
    cut: Path, monkeypatch: pytest.MonkeyPatch, first: float | None, then: float, kept: float
) -> None:
    change(cut, "*.json", {"machine.steal_share": first})
    again = new_run.resume(cut, FOUND)
    monkeypatch.setattr(host, "steal_share", lambda *_: then)
    again.write(0)
    assert read(again).machine.steal_share == kept


def test_a_file_that_was_complete_already_is_no_hindrance(cut: Path) -> None:
    change(cut, REFERENCE, {"complete": True})
    assert len(new_run.resume(cut, FOUND).builds) == 3


def test_nothing_to_go_on_with_is_said(cut: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert refusal(tmp_path / "empty") == f"{tmp_path / 'empty'} holds no result file to go on with"
    assert refusal(cut / "mistyped.json") == f"{cut / 'mistyped.json'} holds no result file to go on with"


REFERENCE = "*3.12.9*"
GONE = "is gone since the run began: it can't be resumed"
OTHER_MACHINE = "{cut} was measured on another machine: go on with it there"
CHANGED = "hanging/forever has changed since the run began: it can't be resumed"
REFUSED: dict[str, tuple[str, dict[str, object], str]] = {
    "it is complete": ("*", {"complete": True}, "{cut} is complete: there is nothing to go on with"),
    "files of several runs": (
        "*3.10.2*",
        {"run.id": "another"},
        "{cut} holds files of several runs: put those of each into a folder of their own",
    ),
    "another processor": ("*", {"machine.cpu": "another"}, OTHER_MACHINE),
    "other cores": ("*", {"machine.usable_cores": 1000}, OTHER_MACHINE),
    "another commit": (
        REFERENCE,
        {"run.commit": "cc"},
        "{cut} was measured from commit cc: check that out to go on with it",
    ),
    "a runner has changed": (REFERENCE, {"series.0.source_sha256": "0" * 64}, CHANGED),
    "a scenario has changed": (REFERENCE, {"scenario_sha256.hanging": "0" * 64}, CHANGED),
    "a runner has changed in another file": ("*3.10.2*", {"series.0.source_sha256": "0" * 64}, CHANGED),
    "a runner is gone": (REFERENCE, {"series.0.runner": "gone"}, f"hanging/gone {GONE}"),
    "a scenario is gone": (
        REFERENCE,
        {"series.0.scenario": "gone"},
        f"gone/forever {GONE}",
    ),
    "other packages": (
        REFERENCE,
        {"packages.gevent": {"version": "99", "reason": None}},
        "cpython-3.12.9 has other versions of the runners' packages now: the run can't be resumed",
    ),
    "another build of that version": (
        "*",
        {"build.compiler": "another", "reference_build.compiler": "another"},
        "cpython-3.12.9 was measured, but cpython-3.12.9 of this machine is another build",
    ),
}


@pytest.mark.parametrize(("files", "changes", "message"), REFUSED.values(), ids=REFUSED)
def test_a_run_that_can_not_be_gone_on_with_says_why(
    cut: Path, files: str, changes: dict[str, object], message: str
) -> None:
    change(cut, files, changes)
    assert refusal(cut) == message.format(cut=cut)


PATH = "/tmp/program"  # noqa: S108 - nothing is there


@pytest.mark.parametrize("field", ["build", "reference_build"])
@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"version": PATH}, f"CPython {PATH}"),
        ({"version": "../program"}, "CPython ../program"),
        ({"version": "3.12.9/../../program"}, "CPython 3.12.9/../../program"),
        ({"version": "3.12.9\n"}, r"CPython 3.12.9\n"),
        ({"version": "python"}, "CPython python"),
        ({"implementation": PATH}, f"{PATH} 3.12.9"),
    ],
)
def test_no_program_that_a_file_names_is_run(
    cut: Path, monkeypatch: pytest.MonkeyPatch, field: str, changes: dict[str, str], named: str
) -> None:
    def run(*_: object, **__: object) -> None:
        pytest.fail("a program was started")

    change(cut, REFERENCE, {f"{field}.{name}": value for name, value in changes.items()})
    monkeypatch.setattr(found_again, "named_again", run)
    assert refusal(cut) == f"'{named}' is no Python's name and version: nothing of it is run"


@pytest.mark.parametrize("version", ["3.12.9", "3.15.0rc1", "3.14.0a7+", "3.10.14+"])
def test_the_versions_that_there_are_can_be_gone_on_with(version: str) -> None:
    new_run._check_build(factory.build(version))


@pytest.mark.parametrize("word", [PATH, f"{PATH}+-Xdev", "C:\\\\program", "../program@main", ".."])
def test_no_path_is_taken_for_a_word_of_a_variant(word: str) -> None:
    with pytest.raises(UserError, match="is not what a variant can be called: nothing of it is run"):
        new_run._check_build(msgspec.structs.replace(factory.build("3.12.9"), variant=(word,)))


def test_no_variable_of_the_system_is_taken_from_a_file(cut: Path) -> None:
    forged = {"build.variables": [f"LD_PRELOAD={PATH}"]}
    change(cut, REFERENCE, forged)
    assert refusal(cut) == "'LD_PRELOAD' is no variable that switches a Python: nothing is run with it"


@pytest.mark.parametrize(
    "word", ["patched", "aiohttp 3.13.5", "aio-libs/aiohttp@0a1b2c", "aiohttp-4.0-py3-none-any.whl 1a2b3c4d", "-X dev"]
)
def test_what_a_variant_is_called_can_be_gone_on_with(word: str) -> None:
    build = msgspec.structs.replace(factory.build("3.12.9"), variant=(word, "PYTHON_GIL=1"))
    new_run._check_build(msgspec.structs.replace(build, variables=("PYTHON_GIL=1",)))


@pytest.mark.parametrize("data", [b"", b"{", b'{"a":' + b"[" * 100_000, b'{"schema_version": 2}', b"\xff"])
def test_a_file_that_can_not_be_read_is_named(cut: Path, data: bytes) -> None:
    file_of(cut, "3.10.2").write_bytes(data)
    assert refusal(cut).startswith("planted-cpython-3.10.2.json can't be resumed: ")


def test_a_run_without_its_reference_is_refused(cut: Path) -> None:
    file_of(cut, "3.12.9").unlink()
    assert refusal(cut) == f"{cut} lacks the file of the reference build, cpython-3.12.9"


def test_a_build_that_is_gone_is_named(cut: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(new_run, "revision", Revision)
    monkeypatch.setattr(host, "load_average", lambda: 0.5)
    monkeypatch.setattr(interpreters, "_installed", lambda: ["3.11.7"])
    monkeypatch.setattr(interpreters, "find", interpreters._find_in_pyenv)
    monkeypatch.setenv("PYENV_ROOT", str(cut))
    assert "no Python '3.12.9' is on this machine; there are: 3.11.7" in refusal(cut)
