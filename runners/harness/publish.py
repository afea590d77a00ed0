"""Puts the files of a run onto a branch, beside others who do the same. Our side.

Each publisher adds one new folder, so no two ever change the same file. It takes the branch's tip, lays its files on
top, and pushes; where somebody was faster it begins again from the new tip. It never rebases and never forces.
"""

from __future__ import annotations

import base64
import os
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
BOT = "github-actions[bot]"
AUTHOR = ("-c", f"user.name={BOT}", "-c", f"user.email=41898282+{BOT}@users.noreply.github.com")


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
    token: str = field(default="", repr=False)
    """Allows to write, over HTTPS; empty where the remote asks for none."""
    wait: Callable[[float], None] = field(default=time.sleep)


def publish(wanted: Publication) -> str:
    """Publish; return the branch's commit that has the files. Doing it again changes nothing. Raises PublishError."""
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder, "clone")
        git = _Git(wanted.token)
        git(Path(folder), "clone", "--quiet", "--depth", "1", "--branch", wanted.branch, wanted.remote, str(clone))
        complaint = ""
        for attempt in range(ATTEMPTS):
            if attempt:
                wanted.wait(random.uniform(0, LONGEST_WAIT_S))  # noqa: S311 - so that two do not collide again
                git(clone, "fetch", "--quiet", "--depth", "1", "origin", wanted.branch)
            git(clone, "checkout", "--quiet", "--detach", "FETCH_HEAD" if attempt else "HEAD")
            _lay(wanted, clone)
            if not _commit(git, clone, wanted.message):
                return git(clone, "rev-parse", "HEAD")
            pushed = git.run(clone, "push", "--quiet", "origin", f"HEAD:refs/heads/{wanted.branch}")
            if pushed.returncode == 0:
                return git(clone, "rev-parse", "HEAD")
            complaint = _complaint(pushed.stderr)
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


def _commit(git: _Git, clone: Path, message: str) -> bool:
    """Commit what is new; tell whether anything was."""
    git(clone, "add", "--all")
    if git.run(clone, "diff", "--cached", "--quiet").returncode == 0:
        return False
    git(clone, *AUTHOR, "commit", "--quiet", "--message", message)
    return True


def _complaint(said: str) -> str:
    """Return the line that tells most: what the other side says, else git's last."""
    lines = said.strip().splitlines() or ["it gave no reason"]
    theirs = [line.removeprefix("remote:").strip() for line in lines if line.startswith("remote:")]
    return next((line for line in theirs if line), lines[-1])


def _is_refused(complaint: str) -> bool:
    """Tell whether trying again is useless: the branch is protected, or the token may not write."""
    words = ("protected branch", "permission", "denied", "rule violations", "hook declined")
    return any(word in complaint.lower() for word in words)


class _Git:
    """The machine's git. A token goes through the environment: an argument would stand in the list of processes."""

    def __init__(self, token: str) -> None:
        basic = base64.b64encode(f"x-access-token:{token}".encode()).decode()
        header = {
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "http.extraheader",
            "GIT_CONFIG_VALUE_0": f"AUTHORIZATION: basic {basic}",
        }
        self._environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0", **(header if token else {})}

    def __call__(self, folder: Path, *arguments: str) -> str:
        """Return what a command prints. Raises PublishError where it fails."""
        done = self.run(folder, *arguments)
        if done.returncode:
            command = next(each for each in arguments if each not in AUTHOR)
            msg = f"git {command} failed: {(done.stderr.strip().splitlines() or ['it gave no reason'])[-1]}"
            raise PublishError(msg)
        return done.stdout.strip()

    def run(self, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command."""
        return subprocess.run(  # noqa: S603 - our own arguments
            ["git", *arguments],  # noqa: S607 - git of the machine
            cwd=folder,
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
        )
