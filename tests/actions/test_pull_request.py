"""What a pull request may do to results/."""

from __future__ import annotations

import datetime as dt
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from factory import Plan, altered, make, some_scenarios
from msgspec.structs import replace

from actions import pull_request
from generate.results.load import ResultFile
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from pathlib import Path

    from runners.harness.record.model import Record

SCENARIOS = {"primes": some_scenarios()["primes"]}
NEW = "results/2026-01-01/r1/a.json"


def git(root: Path, *arguments: str) -> str:
    author = ("-c", "user.name=n", "-c", "user.email=n@example.org")
    command = ["git", *author, *arguments]
    return subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout.strip()  # noqa: S603


@pytest.fixture
def root(tmp_path: Path) -> Path:
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    for path in ("results/2025-01-01/r0/old.json", "docs/a.md"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("{}")
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "--quiet", "--message", "base")
    return tmp_path


def commit(root: Path, **files: str | None) -> list[pull_request.Change]:
    base = git(root, "rev-parse", "HEAD")
    for path, text in files.items():
        place = root / path
        if text is None:
            place.unlink()
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "change")
    return pull_request.changes(root, base)


def test_new_files_of_a_run_are_welcome(root: Path) -> None:
    found = commit(root, **{NEW: "{}"})
    assert pull_request.added(found) == [NEW]
    assert [*pull_request.faults(found)] == []


def test_a_pull_request_without_results_is_none_of_its_business(root: Path) -> None:
    found = commit(root, **{"docs/a.md": "changed"})
    assert pull_request.added(found) == []
    assert [*pull_request.faults(found)] == []


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"results/2025-01-01/r0/old.json": "[]"}, "changed; what was measured stays"),
        ({"results/2025-01-01/r0/old.json": None}, "removed; what was measured stays"),
        ({"results/r1/a.json": "{}"}, "a result lies at"),
        ({"results/2026-01-01/r1/a.py": "{}"}, "a result lies at"),
        ({"results/2026-01-01/r1/sub/a.json": "{}"}, "a result lies at"),
        ({"results/local/a.json": "{}"}, "a result lies at"),
        ({"results/2026-01-01/r1/cells.json": "{}"}, "cells.json: hosted runs alone have one; leave it out"),
        ({NEW: "{}", "docs/a.md": "changed"}, "docs/a.md: results come in a pull request of their own; leave this out"),
        ({NEW: "{}", "results/README.md": "changed"}, "results/README.md: results come in a pull request of their own"),
    ],
)
def test_anything_else_is_refused_by_name(root: Path, files: dict[str, str | None], words: str) -> None:
    (fault,) = pull_request.faults(commit(root, **files))
    assert words in fault


def test_what_lies_beside_the_days_may_change_in_an_ordinary_pull_request(root: Path) -> None:
    names = ("README.md", "LICENSE", "result.schema.json")
    found = commit(root, **{f"results/{name}": "changed" for name in names}, **{"docs/a.md": "changed"})
    assert [*pull_request.faults(found)] == []


def test_a_name_is_told_on_one_line_that_commands_nothing(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = git(root, "rev-parse", "HEAD")
    commit(root, **{'results/2026-01-01/r1/a "b"\n::error::\r##[debug]\x1b[1m.json': "{}"})
    assert pull_request.show(base, root, SCENARIOS) == 1
    first, *_ = capsys.readouterr().out.split("\n")
    assert first.startswith('results/2026-01-01/r1/a "b" : :error: : ## [debug] [1m.json: a result lies at')


def published(root: Path, record: Record, path: str = "results/2026-01-01/fixture-1/a.json") -> str:
    """Commit a result; return the commit before it."""
    base = git(root, "rev-parse", "HEAD")
    commit(root, **{path: encode(record).decode()})
    return base


def with_run(**facts: Any) -> Record:  # noqa: ANN401 - any field of the run
    record = make(SCENARIOS)
    return replace(record, run=replace(record.run, **facts))


def with_machine(**facts: Any) -> Record:  # noqa: ANN401 - any field of the machine
    record = make(SCENARIOS)
    return replace(record, machine=replace(record.machine, **facts))


def test_a_good_result_is_welcome(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = published(root, make(SCENARIOS))
    assert pull_request.show(base, root, SCENARIOS) == 0
    assert capsys.readouterr().out == "1 file read, no findings\n"


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (with_run(trigger="dispatch"), "$.run.trigger: dispatch; it must be local"),
        (with_run(trigger="schedule"), "$.run.trigger: schedule; it must be local"),
        (with_run(url="https://example.org"), "$.run.url: it must be null"),
        (with_run(id="another"), "$.run.id: another, which is not the folder's name fixture-1"),
        (with_run(started="2026-01-02T00:00:00Z"), "$.run.started: 2026-01-02T00:00:00Z, which is not the day"),
        (with_run(started="2026-01-01T25:00:00Z"), "$.run.started: 2026-01-01T25:00:00Z is no time; measure again"),
        (with_machine(label="Ubuntu 24.04"), "$.machine.label: Ubuntu 24.04 is the name of a hosted machine"),
        (with_machine(label="a\n::error::b"), "$.machine.label: more than 60 characters, or one that can't be printed"),
        (with_run(dirty=True), "unpublishable: $.run.dirty: measured from code that no commit holds; commit, then"),
        (make(SCENARIOS, Plan(rounds=600)), "at most 500,000 are published"),
    ],
)
def test_what_no_contributed_result_may_say_is_refused_by_file_field_and_remedy(
    root: Path, record: Record, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert pull_request.show(published(root, record), root, SCENARIOS) == 1
    first, *_ = capsys.readouterr().out.split("\n")
    assert first.startswith("results/2026-01-01/fixture-1/a.json: ")
    assert words in first


def test_a_broken_file_is_refused(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = git(root, "rev-parse", "HEAD")
    commit(root, **{NEW: "{"})
    assert pull_request.show(base, root, SCENARIOS) == 1
    assert capsys.readouterr().out.startswith(f"{NEW}: unreadable: ")


def test_a_result_that_the_gate_refuses_is_refused_while_it_is_new(root: Path) -> None:
    def nonsense(series: dict[str, Any]) -> None:
        series["samples"]["values"]["cpu_us"][2] = 10**10

    record = altered(make(SCENARIOS), lambda series: series.runner == "thread_pool", nonsense)
    base = published(root, record)
    assert pull_request.show(base, root, SCENARIOS) == 1
    assert pull_request.show("HEAD", root, SCENARIOS) == 0


@pytest.mark.parametrize("name", ["fixture-1", "Fixture-1"])
def test_a_run_that_the_base_has_takes_no_more_files(root: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    published(root, make(SCENARIOS))
    record = with_run(id=name, seed=1)
    base = published(root, record, f"results/2026-01-01/{name}/b.json")
    assert pull_request.show(base, root, SCENARIOS) == 1
    assert "$.run.id: " in (told := capsys.readouterr().out)
    assert "the base has a run of this name: measure again" in told


@pytest.mark.parametrize("fact", [{"cpu": "B"}, {"architecture": "arm64"}, {"logical_cores": 4}, {"usable_cores": 1}])
def test_a_label_names_one_machine(root: Path, fact: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    published(root, make(SCENARIOS), "results/2026-01-01/first/a.json")
    record = with_machine(label="Fixture host", **fact)
    base = published(root, record)
    pull_request.show(base, root, SCENARIOS)
    told = capsys.readouterr().out
    assert "Fixture host is the name of another machine (Fixture CPU, x86_64, 2, 2 cores)" in told
    assert "measure again with --machine and another name" in told


def test_the_same_machine_may_bring_more_runs(root: Path) -> None:
    published(root, with_run(id="first"), "results/2026-01-01/first/a.json")
    assert pull_request.show(published(root, make(SCENARIOS)), root, SCENARIOS) == 0


def test_two_new_files_of_one_label_are_of_one_machine(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = published(root, make(SCENARIOS))
    published(root, with_machine(cpu="B"), "results/2026-01-01/fixture-1/b.json")
    assert pull_request.show(base, root, SCENARIOS) == 1
    assert "b.json: $.machine.label: fixture-host is the name of another machine" in capsys.readouterr().out


def test_a_label_that_hosted_results_have_is_theirs_even_when_it_is_no_longer_measured(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    published(root, with_run(id="hosted", trigger="schedule"), "results/2026-01-01/hosted/a.json")
    assert pull_request.show(published(root, make(SCENARIOS)), root, SCENARIOS) == 1
    assert "fixture-host is the name of a hosted machine" in capsys.readouterr().out


@pytest.mark.parametrize(("ahead_s", "refused"), [(-60, False), (540, False), (660, True)])
def test_a_start_lies_in_the_past_but_for_what_clocks_differ_by(ahead_s: int, refused: bool) -> None:  # noqa: FBT001 - a parameter
    record = make(SCENARIOS)
    started = dt.datetime.fromisoformat(record.run.started)
    file = ResultFile("results/2026-01-01/fixture-1/a.json", record, "", local=False, size_bytes=1)
    base = pull_request.Base(frozenset(), frozenset(), {})
    found = [*pull_request.faults_of([file], base, started - dt.timedelta(seconds=ahead_s))]
    assert bool(found) == refused
    assert all(
        "$.run.started: 2026-01-01T00:00:00Z lies in the future; set the machine's clock" in one for one in found
    )


def test_a_base_that_is_not_there_is_told(root: Path) -> None:
    with pytest.raises(pull_request.GitError, match="can't compare with 'nowhere'"):
        pull_request.changes(root, "nowhere")
