"""Puts the files of a run onto a branch, beside others who do the same. Our side.

Each publisher adds one new folder, so no two ever change the same file. It takes the branch's tip, lays its files on
top, and pushes; where somebody was faster it begins again from the new tip. It never rebases and never forces.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from runners.harness.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable

ATTEMPTS = 40
LONGEST_WAIT_S = 3.0
AUTHOR = ("-c", "user.name=github-actions[bot]", "-c", "user.email=41898282+github-actions[bot]@users.noreply.github.com")


class PublishError(UserError):
    """The files could not be put onto the branch."""


@dataclass(frozen=True)
class Publication:
    """What is to be put where."""

    files: Path
    """A folder; all that it holds is published."""
    target: str
    """Where it goes, below the repository's root."""
    remote: str
    """Address or path of the repository."""
    branch: str
    message: str
    wait: Callable[[float], None] = field(default=time.sleep)


def publish(wanted: Publication) -> str:
    """Publish; return the branch's commit that has the files. Publishing them again changes nothing. Raises PublishError."""
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder, "clone")
        _git(Path(folder), "clone", "--quiet", "--depth", "1", "--branch", wanted.branch, wanted.remote, str(clone))
        complaint = ""
        for attempt in range(ATTEMPTS):
            if attempt:
                wanted.wait(random.uniform(0, LONGEST_WAIT_S))  # noqa: S311 - so that two do not collide again
                _git(clone, "fetch", "--quiet", "--depth", "1", "origin", wanted.branch)
            _git(clone, "checkout", "--quiet", "--detach", "FETCH_HEAD" if attempt else "HEAD")
            _lay(wanted, clone)
            if not _commit(clone, wanted.message):
                return _git(clone, "rev-parse", "HEAD")
            pushed = _run(clone, "push", "--quiet", "origin", f"HEAD:refs/heads/{wanted.branch}")
            if pushed.returncode == 0:
                return _git(clone, "rev-parse", "HEAD")
            complaint = (pushed.stderr.strip().splitlines() or ["it gave no reason"])[-1]
            if _is_refused(pushed.stderr):
                break
    msg = f"{wanted.branch} did not take the results: {complaint}"
    raise PublishError(msg)


def _lay(wanted: Publication, clone: Path) -> None:
    """Copy the files; a path that leads out of the repository is refused."""
    target = (clone / wanted.target).resolve()
    if not target.is_relative_to(clone.resolve()) or target == clone.resolve():
        msg = f"{wanted.target!r} is no folder of the repository"
        raise PublishError(msg)
    shutil.copytree(wanted.files, target, dirs_exist_ok=True)


def _commit(clone: Path, message: str) -> bool:
    """Commit what is new; tell whether anything was."""
    _git(clone, "add", "--all")
    if _run(clone, "diff", "--cached", "--quiet").returncode == 0:
        return False
    _git(clone, *AUTHOR, "commit", "--quiet", "--message", message)
    return True


def _is_refused(complaint: str) -> bool:
    """Tell whether trying again is useless: the branch is protected, or the token may not write."""
    return any(word in complaint.lower() for word in ("protected branch", "permission", "denied", "rule violations", "hook declined"))


def _git(folder: Path, *arguments: str) -> str:
    done = _run(folder, *arguments)
    if done.returncode:
        msg = f"git {arguments[0]} failed: {(done.stderr.strip().splitlines() or ['it gave no reason'])[-1]}"
        raise PublishError(msg)
    return done.stdout.strip()


def _run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603, S607 - git of the machine, our own arguments
