"""Puts the files of a run onto a branch, beside others who do the same. Our side.

Each publisher adds one new folder, so no two ever change the same file. It takes the branch's tip, lays its files on
top, and pushes; where somebody was faster it begins again from the new tip. It never rebases and never forces.
"""

from __future__ import annotations

import base64
import os
import random
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from actions import collected
from actions.laying import laid
from runners.harness.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ATTEMPTS = 100
"""Of forty publishers at once the last begins again as often as the others land, and now and then meets a lock."""
LONGEST_WAIT_S = 3.0
NO_SUCH_BRANCH = "couldn't find remote ref"
READ_ONLY = ("write access to repository not granted", "the requested url returned error: 403")
"""GitHub's words for a token that may not write, and git's for the answer that they come with."""
FINAL = (
    *("protected branch", "permission", "denied", "rule violations", "hook declined"),
    *("authentication failed", "could not read username", "repository not found"),
    *READ_ONLY,
)
"""Words of a refusal after which trying again is useless: the branch is protected, or the token may not write."""
MAY_NOT = (
    "; the workflow's token may only read: whoever owns the repository, or its organisation, lets it write in Settings,"
    " Actions, General, Workflow permissions"
)
BOT = "github-actions[bot]"
AUTHOR = ("-c", f"user.name={BOT}", "-c", f"user.email=41898282+{BOT}@users.noreply.github.com")


class PublishError(UserError):
    """The files could not be put onto the branch."""


@dataclass(frozen=True)
class Publication:
    """What is to be put where."""

    files: Path
    """A folder; all that it holds is published."""
    names: frozenset[str]
    """What it may hold: paths below it."""
    target: str
    """Where it goes, below the repository's root."""
    remote: str
    """Address or path of the repository."""
    branch: str
    """Where the repository has none of this name, it is made from the default branch."""
    message: str
    token: str = field(default="", repr=False)
    """Allows to write, over HTTPS; empty where the remote asks for none."""
    wait: Callable[[float], None] = field(default=time.sleep)
    tell: Callable[[str], object] = field(default=lambda _: None)
    """Is told each file that the branch has already from another measurement, and keeps."""


class _RemoteError(Exception):
    """The other side did not do what it was asked for; perhaps it does the next time."""

    def __init__(self, said: str) -> None:
        may_not = MAY_NOT if any(word in said.lower() for word in READ_ONLY) else ""
        super().__init__(_complaint(said) + may_not)
        self.is_final = any(word in said.lower() for word in FINAL)
        self.is_without_branch = NO_SUCH_BRANCH in said


def publish(wanted: Publication) -> str:
    """Publish; return the branch's commit that has the files. Doing it again changes nothing. Raises PublishError."""
    files = _read(wanted)
    complaint = ""
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder, "clone")
        git = _Git(wanted.token)
        git(Path(folder), "init", "--quiet", str(clone))
        git(clone, "remote", "add", "origin", wanted.remote)
        _check_branch(git, clone, wanted.branch)
        for attempt in range(ATTEMPTS):
            if attempt:
                wanted.wait(random.uniform(0, LONGEST_WAIT_S))  # noqa: S311 - so that two do not collide again
            try:
                return _attempt(git, clone, wanted, files)
            except _RemoteError as error:
                complaint = str(error)
                if error.is_final:
                    break
    msg = f"{wanted.branch} did not take the results: {complaint}"
    raise PublishError(msg)


def _read(wanted: Publication) -> dict[str, bytes]:
    """Read the files, by path below their folder. Raises PublishError for one that may not be there."""
    files = {}
    for path in collected.paths(wanted.files):
        name = path.relative_to(wanted.files).as_posix()
        if not collected.is_plain(path):
            msg = f"{name!r} is not a plain file: nothing was published"
            raise PublishError(msg)
        if name not in wanted.names:
            msg = f"{name!r} is no file of this run's plan: nothing was published"
            raise PublishError(msg)
        files[name] = path.read_bytes()
    if not files:
        msg = f"{wanted.files.name} holds no files to publish: give the folder that was collected"
        raise PublishError(msg)
    return files


def _check_branch(git: _Git, clone: Path, branch: str) -> None:
    if git.run(clone, "check-ref-format", f"refs/heads/{branch}").returncode:
        msg = f"{branch[:60]!r} can't name a branch: set the variable RESULTS_BRANCH to one that can"
        raise PublishError(msg)


def _attempt(git: _Git, clone: Path, wanted: Publication, files: Mapping[str, bytes]) -> str:
    """Lay the files on top of the branch's tip and push; return the commit. Raises _RemoteError, or PublishError."""
    is_new = _check_out_tip(git, clone, wanted.branch)
    places = {name: _place(clone, wanted, name) for name in wanted.names}
    found = laid(files, {name: place.read_bytes() for name, place in places.items() if place.exists()})
    for name, data in found.files.items():
        places[name].parent.mkdir(parents=True, exist_ok=True)
        places[name].write_bytes(data)
    if _commit(git, clone, wanted.message) or is_new:
        git.ask(clone, "push", "--quiet", "origin", f"HEAD:refs/heads/{wanted.branch}")
    for name in found.kept:
        wanted.tell(f"{wanted.target}/{name}")
    return git(clone, "rev-parse", "HEAD")


def _check_out_tip(git: _Git, clone: Path, branch: str) -> bool:
    """Check out the branch's tip, or the default branch's where there is no such branch; tell whether that is so."""
    fetch = ("fetch", "--quiet", "--no-tags", "--depth", "1", "origin")
    is_new = False
    try:
        git.ask(clone, *fetch, f"refs/heads/{branch}")
    except _RemoteError as error:
        if not error.is_without_branch:
            raise
        is_new = True
        git.ask(clone, *fetch, "HEAD")
    git(clone, "checkout", "--quiet", "--force", "--detach", "FETCH_HEAD")
    return is_new


def _place(clone: Path, wanted: Publication, name: str) -> Path:
    """Return where a file goes; a path that leads out of the repository, or through a link in it, is refused."""
    root = clone.resolve()
    target = (root / wanted.target).resolve()
    if not target.is_relative_to(root) or target == root:
        msg = f"{wanted.target!r} is no folder of the repository"
        raise PublishError(msg)
    if (target / name).resolve() != root / wanted.target / name:
        msg = f"{wanted.target}/{name} leads through a link of {wanted.branch}: nothing was published"
        raise PublishError(msg)
    return target / name


def _commit(git: _Git, clone: Path, message: str) -> bool:
    """Commit what is new; tell whether anything was."""
    git(clone, "add", "--all")
    if git.run(clone, "diff", "--cached", "--quiet").returncode == 0:
        return False
    git(clone, *AUTHOR, "commit", "--quiet", "--message", message)
    return True


def _complaint(said: str) -> str:
    """Return the line that tells most: what the other side says, else what git gave up for, else its last."""
    lines = said.strip().splitlines() or ["it gave no reason"]
    theirs = [line.removeprefix("remote:").strip() for line in lines if line.startswith("remote:")]
    fatal = [line for line in lines if line.startswith("fatal:")]
    return next((line for line in (*theirs, *fatal) if line), lines[-1])


class _Git:
    """The machine's git. A token goes through the environment: an argument would stand in the list of processes."""

    def __init__(self, token: str) -> None:
        basic = base64.b64encode(f"x-access-token:{token}".encode()).decode()
        header = {
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "http.extraheader",
            "GIT_CONFIG_VALUE_0": f"AUTHORIZATION: basic {basic}",
        }
        self._environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C", **(header if token else {})}

    def __call__(self, folder: Path, *arguments: str) -> str:
        """Return what a command prints. Raises PublishError where it fails."""
        done = self.run(folder, *arguments)
        if done.returncode:
            command = next(each for each in arguments if each not in AUTHOR)
            msg = f"git {command} failed: {(done.stderr.strip().splitlines() or ['it gave no reason'])[-1]}"
            raise PublishError(msg)
        return done.stdout.strip()

    def ask(self, folder: Path, *arguments: str) -> None:
        """Run a command that needs the other side. Raises _RemoteError where it fails."""
        done = self.run(folder, *arguments)
        if done.returncode:
            raise _RemoteError(done.stderr)

    def run(self, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command."""
        return subprocess.run(  # noqa: S603 - our own commands
            ["git", *arguments],  # noqa: S607 - git of the machine
            cwd=folder,
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
        )
