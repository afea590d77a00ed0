"""What a pull request may do to results/."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from runners.harness import contributed

if TYPE_CHECKING:
    from pathlib import Path

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


def commit(root: Path, **files: str | None) -> list[contributed.Change]:
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
    return contributed.changes(root, base)


def test_new_files_of_a_run_are_welcome(root: Path) -> None:
    found = commit(root, **{NEW: "{}"})
    assert contributed.added(found) == [NEW]
    assert [*contributed.faults(found)] == []


def test_a_pull_request_without_results_is_none_of_its_business(root: Path) -> None:
    found = commit(root, **{"docs/a.md": "changed"})
    assert contributed.added(found) == []
    assert [*contributed.faults(found)] == []


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"results/2025-01-01/r0/old.json": "[]"}, "changed; what was measured stays"),
        ({"results/2025-01-01/r0/old.json": None}, "removed; what was measured stays"),
        ({"results/r1/a.json": "{}"}, "a result lies at"),
        ({"results/2026-01-01/r1/a.py": "{}"}, "a result lies at"),
        ({"results/2026-01-01/r1/sub/a.json": "{}"}, "a result lies at"),
        ({NEW: "{}", "docs/a.md": "changed"}, "docs/a.md: results come in a pull request of their own"),
    ],
)
def test_anything_else_is_refused_by_name(root: Path, files: dict[str, str | None], words: str) -> None:
    (fault,) = contributed.faults(commit(root, **files))
    assert words in fault


def test_a_name_that_git_quotes_is_told_as_it_is(root: Path) -> None:
    (fault,) = contributed.faults(commit(root, **{'results/2026-01-01/r1/a "b"\n.json': "{}"}))
    assert fault.startswith('results/2026-01-01/r1/a "b"\n.json: ')


def test_a_base_that_is_not_there_is_told(root: Path) -> None:
    with pytest.raises(contributed.GitError, match="can't compare with 'nowhere'"):
        contributed.changes(root, "nowhere")
