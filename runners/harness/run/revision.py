"""Names the commit of the measuring code. Our side."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from runners.harness import programs
from runners.harness.catalogue.scenarios import ROOT

if TYPE_CHECKING:
    import subprocess

ELSEWHERE = frozenset({"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"})
"""Variables that lead git to another repository; hooks have them."""
OTHER_REPOSITORY = "it belongs to another repository, {}: clone this project, or unpack it elsewhere"


class Revision(NamedTuple):
    """The commit of this code, and whether files outside results/ differ from it; None outside a checkout."""

    commit: str | None = None
    dirty: bool | None = None
    problem: str = ""
    """Why git can't name the commit, in its own words."""


def revision(root: Path = ROOT) -> Revision:
    """Ask git for the version of the code in *root*.

    An index can hide changes from `git status`. The hashes of scenarios and runners in a record can't be hidden.
    """
    top = _git(root, "rev-parse", "--show-toplevel", "HEAD")
    if top.returncode != 0:
        return Revision(problem=" ".join(top.stderr.split()))
    folder, commit = top.stdout.splitlines()
    if Path(folder).resolve() != root.resolve():
        return Revision(problem=OTHER_REPOSITORY.format(folder))
    state = _git(root, "status", "--porcelain", "--untracked-files=all", "--", ".", ":!results")
    if state.returncode != 0:
        return Revision(commit, None, " ".join(state.stderr.split()))
    return Revision(commit, bool(state.stdout))


def _git(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name not in ELSEWHERE}
    return programs.run("git", "-C", root, *arguments, environment=environment)
