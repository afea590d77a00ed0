"""The commit that a record names: it holds exactly the files that are measured, or there is none."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from runners.harness import programs
from runners.harness.run.revision import OTHER_REPOSITORY, revision

RUNNER = "runners/primes/pool.py"


def git(folder: Path, *arguments: str) -> str:
    who = ("-c", "user.name=x", "-c", "user.email=x@example.org")
    done = programs.run("git", "-C", folder, *who, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    for name in (RUNNER, "requirements/runners.txt", "docs/a.md"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    git(tmp_path, "init", "--quiet", str(folder))
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "first")
    return folder


def edit(folder: Path) -> None:
    (folder / RUNNER).write_text("another")


def add(folder: Path) -> None:
    (folder / "runners/primes/mine.py").touch()


def hide(how: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        git(folder, "update-index", how, RUNNER)
        edit(folder)

    return change


def hide_new_files(folder: Path) -> None:
    git(folder, "config", "status.showUntrackedFiles", "no")
    add(folder)


def ignore_new_files(folder: Path) -> None:
    (folder / ".git/info/exclude").write_text("mine.py")
    add(folder)


def remove_unseen(folder: Path) -> None:
    git(folder, "update-index", "--skip-worktree", RUNNER)
    (folder / RUNNER).unlink()


CHANGES = (
    *(edit, add, hide("--assume-unchanged"), hide("--skip-worktree"), hide_new_files, ignore_new_files, remove_unseen),
    lambda folder: (folder / "docs/a.md").write_text("another"),
)


def test_clean_checkout_has_its_commit(project: Path) -> None:
    (project / "results").mkdir()
    (project / "results/a.json").touch()
    assert revision(project) == (git(project, "rev-parse", "HEAD"), False, "")


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_differs_from_the_commit_is_dirty(project: Path, change: Callable[[Path], object]) -> None:
    change(project)
    assert revision(project) == (git(project, "rev-parse", "HEAD"), True, "")


def test_other_repository_around_the_code_has_no_say(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unpacked = project / "ignored" / "copy"
    (unpacked / "runners").mkdir(parents=True)
    (project / ".git/info/exclude").write_text("ignored")
    assert revision(unpacked) == (None, None, OTHER_REPOSITORY.format(project))
    monkeypatch.setenv("GIT_DIR", str(project / ".git"))  # as in a hook
    assert revision(unpacked).commit is None


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_reason_and_remedy_of_git_are_kept(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "not a git repository" in revision(tmp_path).problem
    for path in (project, project / ".git"):
        os.chown(path, 12345, 12345)
    monkeypatch.setenv("HOME", str(tmp_path))
    commit, dirty, problem = revision(project)
    assert (commit, dirty) == (None, None)
    assert "dubious ownership" in problem
    assert "safe.directory" in problem
