"""Names the commit of the measuring code. Our side."""

import os
import subprocess
from pathlib import Path
from typing import NamedTuple

from runners.harness import programs
from runners.harness.catalogue.scenarios import ROOT

ELSEWHERE = frozenset({"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"})
"""Variables that lead git to another repository; hooks have them."""
PINS = "requirements/runners.txt"
OTHER_REPOSITORY = "it belongs to another repository, {}: clone this project, or unpack it elsewhere"


class Revision(NamedTuple):
    """The commit of this code, and whether files outside results/ differ from it; None outside a checkout."""

    commit: str | None = None
    dirty: bool | None = None
    problem: str = ""
    """Why git can't name the commit, in its own words."""


def revision(root: Path = ROOT) -> Revision:
    """Ask git for the version of the code in *root*.

    Settings and indexes can hide changes from `git status`, so what is measured is also compared by its hashes.
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
    return Revision(commit, bool(state.stdout) or not _are_committed(root))


def _are_committed(root: Path) -> bool:
    """True if the commit has the same files to measure, with the same hashes."""
    files = sorted(path.relative_to(root).as_posix() for path in [*root.glob("runners/**/*.py"), *root.glob(PINS)])
    hashes = _git(root, "hash-object", "--", *files).stdout.split()
    tree = _git(root, "ls-tree", "-r", "-z", "HEAD", "--", "runners", PINS).stdout.split("\0")[:-1]
    committed = {path: entry.split()[2] for entry, _, path in (line.partition("\t") for line in tree)}
    return dict(zip(files, hashes, strict=False)) == {
        path: digest for path, digest in committed.items() if path.endswith(".py") or path == PINS
    }


def _git(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name not in ELSEWHERE}
    return programs.run("git", "-C", root, *arguments, environment=environment)
