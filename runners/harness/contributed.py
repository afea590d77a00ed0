"""Checks what a pull request does to results/: it may add files of runs, and nothing else. Our side."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING, NamedTuple

import click

from generate import outcomes
from runners.harness import catalogue, check
from runners.harness.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

RESULT = re.compile(r"results/\d{4}-\d{2}-\d{2}/[\w.-]+/[\w.-]+\.json")
FOLDER = "results/"
KINDS = {"M": "changed", "D": "removed", "T": "turned into another kind of file", "R": "renamed", "C": "copied"}


class GitError(UserError):
    """The changes could not be read."""


class Change(NamedTuple):
    """A path that differs."""

    kind: str
    """Git's letter: A, M, D, T, R, C."""
    path: str


def show(base: str, root: Path = catalogue.ROOT) -> int:
    """Print what is wrong with the results that came since *base*; return the exit status. Raises GitError."""
    found = changes(root, base)
    wrong = [*faults(found), *unreadable(root, found)]
    report = check.check([root / path for path in added(found)])
    for line in [*wrong, *report.lines()]:
        click.echo(line)
    return 1 if wrong else report.exit_status


def changes(root: Path, base: str) -> list[Change]:
    """Return what differs from where this branch left *base*. Raises GitError."""
    if not base:
        msg = "the commit to compare with is not told"
        raise GitError(msg)
    command = ["git", "diff", "--name-status", "--no-renames", "-z", f"{base}...HEAD", "--"]
    done = subprocess.run(  # noqa: S603 - fixed words
        command, cwd=root, capture_output=True, encoding="utf-8", errors="backslashreplace", check=False
    )
    if done.returncode:
        msg = f"git can't compare with {base[:60]!r}: {done.stderr.strip()[:200]}"
        raise GitError(msg)
    parts = done.stdout.split("\0")[:-1]
    return [Change(kind[:1], path) for kind, path in zip(parts[::2], parts[1::2], strict=True)]


def added(found: Sequence[Change]) -> list[str]:
    """Return the paths of the result files that are new."""
    new = [change.path for change in found if change.kind == "A" and RESULT.fullmatch(change.path)]
    return [path for path in new if not path.endswith(f"/{outcomes.FILE}")]


def unreadable(root: Path, found: Sequence[Change]) -> Iterator[str]:
    """Name the lists of cells that came along and can't be read."""
    if added(found):
        yield from (f"{FOLDER}{path}: {reason}" for path, reason in outcomes.read(root / FOLDER).faults)


def faults(found: Sequence[Change]) -> Iterator[str]:
    """Say what a pull request that brings results may not do; nothing where it brings none."""
    below = [change for change in found if change.path.startswith(FOLDER)]
    for change in below:
        if change.kind != "A":
            yield f"{change.path}: {KINDS.get(change.kind, 'altered')}; what was measured stays as it is"
        elif not RESULT.fullmatch(change.path):
            yield f"{change.path}: a result lies at results/<day>/<run>/<name>.json"
    if added(found):
        for change in found:
            if change not in below:
                yield f"{change.path}: results come in a pull request of their own"
