"""Repositories for tests: a bare one with a file on main, and a clone of it beside."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

AUTHOR = ("-c", "user.name=n", "-c", "user.email=n@example.org")


def git(*arguments: str, cwd: Path) -> str:
    command = ["git", *AUTHOR, *arguments]
    return subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True).stdout.strip()  # noqa: S603


def commit(folder: Path) -> None:
    git("add", "--all", cwd=folder)
    git("commit", "--quiet", "--message", "change", cwd=folder)


def bare(path: Path) -> Path:
    """Make a repository at *path*, and its clone `first` beside it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    git("init", "--quiet", "--bare", "--initial-branch=main", path.name, cwd=path.parent)
    git("clone", "--quiet", path.name, "first", cwd=path.parent)
    first = path.with_name("first")
    (first / "README").write_text("here\n")
    commit(first)
    git("push", "--quiet", "origin", "HEAD:main", cwd=first)
    return path


def files_of(repository: Path, branch: str = "main") -> set[str]:
    return {*git("ls-tree", "-r", "--name-only", branch, cwd=repository).splitlines()}
