"""Publishing beside others: nothing is lost, nothing doubled, and a refusal is told."""

from __future__ import annotations

import subprocess
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from runners.harness.publish import Publication, PublishError, publish

if TYPE_CHECKING:
    from pathlib import Path

AT_ONCE = 8


def git(*arguments: str, cwd: Path) -> str:
    return subprocess.run(["git", *arguments], cwd=cwd, check=True, capture_output=True, text=True).stdout.strip()  # noqa: S603, S607


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    bare, first = tmp_path / "remote.git", tmp_path / "first"
    git("init", "--quiet", "--bare", "--initial-branch=main", str(bare), cwd=tmp_path)
    git("clone", "--quiet", str(bare), str(first), cwd=tmp_path)
    (first / "README").write_text("here\n")
    git("add", ".", cwd=first)
    git("-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "--quiet", "-m", "first", cwd=first)
    git("push", "--quiet", "origin", "HEAD:main", cwd=first)
    return bare


def publication(tmp_path: Path, remote: Path, name: str, target: str = "results") -> Publication:
    folder = tmp_path / f"files-{name}" / "2026-01-01" / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "a.json").write_text(name)
    return Publication(
        tmp_path / f"files-{name}", target, f"file://{remote}", "main", f"Results of {name}", wait=lambda _: None
    )


def published(remote: Path) -> set[str]:
    return set(git("ls-tree", "-r", "--name-only", "main", cwd=remote).splitlines())


def test_files_are_added_and_what_was_there_stays(tmp_path: Path, remote: Path) -> None:
    head = publish(publication(tmp_path, remote, "run-1"))
    assert published(remote) == {"README", "results/2026-01-01/run-1/a.json"}
    assert git("rev-parse", "main", cwd=remote) == head


def test_publishing_again_changes_nothing(tmp_path: Path, remote: Path) -> None:
    wanted = publication(tmp_path, remote, "run-1")
    assert publish(wanted) == publish(wanted)
    assert git("rev-list", "--count", "main", cwd=remote) == "2"


def test_what_a_re_run_of_failed_jobs_adds_joins_the_run_s_folder(tmp_path: Path, remote: Path) -> None:
    wanted = publication(tmp_path, remote, "run-1")
    publish(wanted)
    (run,) = wanted.files.rglob("run-1")
    (run / "b.json").write_text("the cell that failed at first")
    publish(wanted)
    assert published(remote) == {"README", "results/2026-01-01/run-1/a.json", "results/2026-01-01/run-1/b.json"}


def test_many_at_once_lose_nothing_and_double_nothing(tmp_path: Path, remote: Path) -> None:
    wanted = [publication(tmp_path, remote, f"run-{number}") for number in range(AT_ONCE)]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(publish, wanted))
    expected = {f"results/2026-01-01/run-{number}/a.json" for number in range(AT_ONCE)}
    assert published(remote) == expected | {"README"}
    assert git("rev-list", "--count", "main", cwd=remote) == str(AT_ONCE + 1)


def test_a_refused_push_is_told_and_not_tried_for_ever(tmp_path: Path, remote: Path) -> None:
    hook = remote / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\necho 'changes must be made through a pull request' >&2\nexit 1\n")
    hook.chmod(0o755)
    waits: list[float] = []
    wanted = publication(tmp_path, remote, "run-1")
    wanted = Publication(wanted.files, wanted.target, wanted.remote, wanted.branch, wanted.message, wait=waits.append)
    with pytest.raises(PublishError, match="did not take the results: changes must be made through a pull"):
        publish(wanted)
    assert waits == []


def test_a_branch_that_is_not_there_is_told(tmp_path: Path, remote: Path) -> None:
    wanted = publication(tmp_path, remote, "run-1")
    with pytest.raises(PublishError, match="git clone failed"):
        publish(Publication(wanted.files, wanted.target, wanted.remote, "nowhere", wanted.message))


@pytest.mark.parametrize("target", ["..", "../elsewhere", ".", "/tmp"])  # noqa: S108 - never written to
def test_a_target_outside_the_repository_is_refused(tmp_path: Path, remote: Path, target: str) -> None:
    with pytest.raises(PublishError, match="is no folder of the repository"):
        publish(publication(tmp_path, remote, "run-1", target))
