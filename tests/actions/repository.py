"""Repositories for tests: a bare one with a file on main, and a clone next to it."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

AUTHOR = ("-c", "user.name=n", "-c", "user.email=n@example.org")


def git(*arguments: str, cwd: Path) -> str:
    command = ["git", *AUTHOR, *arguments]
    return subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True).stdout.strip()  # noqa: S603


def commit(folder: Path, files: Mapping[str, str | None] | None = None) -> None:
    """Write *files*, or remove those that are None, and commit them with whatever else has changed."""
    for path, text in (files or {}).items():
        if text is None:
            (folder / path).unlink()
        else:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
    git("add", "--all", cwd=folder)
    git("commit", "--quiet", "--message", "change", cwd=folder)


def bare(path: Path) -> Path:
    """Make a repository at *path*, and its clone `first` next to it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    git("init", "--quiet", "--bare", "--initial-branch=main", path.name, cwd=path.parent)
    git("clone", "--quiet", path.name, "first", cwd=path.parent)
    first = path.with_name("first")
    commit(first, {"README": "here\n"})
    git("push", "--quiet", "origin", "HEAD:main", cwd=first)
    return path


def list_files(repository: Path, branch: str = "main") -> set[str]:
    return {*git("ls-tree", "-r", "--name-only", branch, cwd=repository).splitlines()}
