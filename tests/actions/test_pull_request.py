"""What a pull request may do to results/, and what the results that it brings may not say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from factory import Plan, altered, make, some_scenarios
from msgspec.structs import replace
from repository import commit, git

from actions import pull_request
from runners.harness.errors import UserError
from runners.harness.record.codec import encode

if TYPE_CHECKING:
    from pathlib import Path

    from runners.harness.record.model import Record

SCENARIOS = {"primes": some_scenarios()["primes"]}
NEW = "results/2026-01-01/fixture-1/a.json"
GOOD = encode(make(SCENARIOS)).decode()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    git("init", "--quiet", "--initial-branch=main", cwd=tmp_path)
    change(tmp_path, {"results/2025-01-01/r0/old.json": "{", "docs/a.md": "{}"})
    return tmp_path


def change(root: Path, files: dict[str, str | None]) -> None:
    for path, text in files.items():
        place = root / path
        if text is None:
            place.unlink()
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
    commit(root)


def shown(root: Path, files: dict[str, str | None], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Commit files; return the status and what is printed of them."""
    base = git("rev-parse", "HEAD", cwd=root)
    change(root, files)
    status = pull_request.show(base, root, SCENARIOS)
    return status, capsys.readouterr().out


def test_a_good_result_is_welcome_beside_an_unusable_one_of_the_base(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert shown(root, {NEW: GOOD}, capsys) == (0, "1 file read, no findings\n")


@pytest.mark.parametrize("name", ["docs/a.md", "results/README.md", "results/LICENSE", "results/result.schema.json"])
def test_a_pull_request_without_results_is_none_of_its_business(
    root: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert shown(root, {name: "changed"}, capsys) == (0, "0 files read, no findings\n")


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"results/2025-01-01/r0/old.json": "[]"}, "changed or removed; what was measured stays"),
        ({"results/2025-01-01/r0/old.json": None}, "changed or removed; what was measured stays"),
        ({"results/r1/a.json": "{}"}, "a result lies at"),
        ({"results/2026-01-01/r1/a.py": "{}"}, "a result lies at"),
        ({"results/2026-01-01/r1/sub/a.json": "{}"}, "a result lies at"),
        ({"results/local/a.json": "{}"}, "a result lies at"),
        ({"results/2026-01-01/r1/cells.json": "{}"}, "leave out all else, and any cells.json"),
        ({NEW: GOOD, "docs/a.md": "changed"}, "docs/a.md: results come in a pull request of their own; leave this out"),
        ({NEW: GOOD, "results/README.md": "changed"}, "results/README.md: results come in a pull request of their own"),
        ({"results/2025-01-01/r0/new.json": GOOD}, "the base has a run of this name"),
        ({"results/2025-01-01/R0/new.json": GOOD}, "the base has a run of this name"),
    ],
)
def test_anything_else_is_refused_by_name(
    root: Path, files: dict[str, str | None], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, printed = shown(root, files, capsys)
    assert status == 1
    assert words in printed


def test_a_name_is_printed_on_one_line_that_commands_nothing(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, printed = shown(root, {'results/2026-01-01/r1/a "b"\n::error::\r##[debug]\x1b[1m.json': "{}"}, capsys)
    assert printed.startswith('results/2026-01-01/r1/a "b" : :error: : ## [debug] [1m.json: a result lies at')


def with_run(**facts: Any) -> Record:  # noqa: ANN401 - any field of the run
    record = make(SCENARIOS)
    return replace(record, run=replace(record.run, **facts))


def labelled(label: str) -> Record:
    record = make(SCENARIOS)
    return replace(record, machine=replace(record.machine, label=label))


def nonsense(series: dict[str, Any]) -> None:
    series["samples"]["values"]["cpu_us"][2] = 10**10


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (with_run(trigger="dispatch"), "$.run: a hosted run's trigger or url; measure on a machine of your own"),
        (with_run(url="https://example.org"), "$.run: a hosted run's trigger or url; measure on a machine of your own"),
        (with_run(id="another"), "$.run.id: it is of results/2026-01-01/another; keep the run's own folder"),
        (with_run(started="2026-01-02T00:00:00Z"), "$.run.id: it is of results/2026-01-02/fixture-1"),
        (with_run(dirty=True), "unpublishable: $.run.dirty: measured from code that no commit holds; commit, then"),
        (make(SCENARIOS, Plan(rounds=600)), "at most 500,000 are published"),
        (altered(make(SCENARIOS), lambda series: series.runner == "thread_pool", nonsense), "impossible: primes"),
    ],
)
def test_what_no_contributed_result_may_say_is_refused_by_file_field_and_remedy(
    root: Path, record: Record, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, printed = shown(root, {NEW: encode(record).decode()}, capsys)
    assert status == 1
    assert printed.startswith(f"{NEW}: {words}" if words[0] != "a" else f"{NEW}: unpublishable: ")
    assert words in printed


@pytest.mark.parametrize(
    "label",
    [
        "ubuntu-24.04",
        "Ubuntu 24.04",
        "ubuntu-24.O4",
        "ubuntu-20.04",
        "windows_11-arm",
        "macos-26-lntel",
        "\N{CYRILLIC SMALL LETTER EM}acos-26",
        "ubuntu\N{EN DASH}24.04",
        "a\n::error::b",
        "a\u202eb",
        "x" * 61,
    ],
)
def test_a_label_that_looks_like_a_hosted_machine_s_or_like_no_name_is_refused(
    root: Path, label: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, printed = shown(root, {NEW: encode(labelled(label)).decode()}, capsys)
    assert status == 1
    assert "is no name, or looks like a hosted machine's; measure again with --machine and another name" in printed


@pytest.mark.parametrize("label", ["my-laptop", "linux-x86_64-4-core", "macos-arm64-8-core", "windows-amd64-2-core"])
def test_other_labels_are_welcome(root: Path, label: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(root, {NEW: encode(labelled(label)).decode()}, capsys)[0] == 0


def test_a_broken_file_is_refused(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, printed = shown(root, {NEW: "{"}, capsys)
    assert status == 1
    assert printed.startswith(f"{NEW}: unreadable: ")


def test_a_base_that_is_not_there_is_reported(root: Path) -> None:
    with pytest.raises(UserError, match="can't compare with 'nowhere'"):
        pull_request.show("nowhere", root, SCENARIOS)
